"""What rules say, in Chinese: title, impact and remediation of each."""

from __future__ import annotations

from typing import Final, NamedTuple


class RuleText(NamedTuple):
    """The fixed texts of one rule."""

    title: str
    impact: str
    remediation: str


RULES_ZH: Final[dict[str, RuleText]] = {
    "tls.cert.invalid": RuleText(
        "证书对该主机无效",
        "访问者会看到警告；一旦习惯点过警告，连接就可能被拦截。",
        "为该名称安装证书并附上中间证书，用 ACME 自动续期。",
    ),
    "tls.cert.expiry": RuleText(
        "证书即将过期",
        "如果续期失效，网站会在到期当天对所有人停止工作。",
        "检查自动续期是否在运行，并在有效期过去三分之二时续期。",
    ),
    "tls.cert.lifetime": RuleText(
        "证书有效期超过公共 CA 允许的上限",
        "浏览器会拒绝超过上限的证书，被盗的密钥也会更久可用。",
        "重新签发有效期不超过上限的证书，并自动续期。",
    ),
    "tls.cert.key": RuleText(
        "证书密钥或签名强度不足",
        "密钥可能被破解，或者可以伪造带有相同签名的另一张证书。",
        "生成新密钥（EC P-256 或 RSA 2048 以上）并重新签发证书。",
    ),
    "tls.cert.ct": RuleText(
        "证书未记录在透明度日志中",
        "误发或骗取的证书不会被发现。",
        "向会嵌入 SCT 的机构申请证书；大型机构都会这样做。",
    ),
    "tls.proto.ssl": RuleText(
        "支持 SSL 2 或 SSL 3",
        "连接可以被解密（DROWN、POODLE）；存在 SSL 2 时，新版 TLS 的连接也会受影响。",
        "关闭 SSL 2 和 SSL 3。",
    ),
    "tls.proto.old": RuleText(
        "支持 TLS 1.0 或 TLS 1.1",
        "弱散列和旧式填充仍可被使用；PCI DSS 和多数规范都禁止。",
        "只提供 TLS 1.2 和 TLS 1.3。",
    ),
    "tls.proto.new": RuleText(
        "缺少新版 TLS 协议",
        "客户端只能使用较弱的协议，或者根本无法连接。",
        "在 TLS 1.2 之外提供 TLS 1.3；可能需要升级 TLS 库。",
    ),
    "tls.cipher.broken": RuleText(
        "接受已被攻破的加密套件",
        "处在传输路径上的人可以读取或修改流量。",
        "只接受使用 AES-GCM 或 ChaCha20-Poly1305 的 ECDHE 套件。",
    ),
    "tls.cipher.weak": RuleText(
        "接受较弱的加密套件",
        "有耐心的攻击者可以恢复部分流量，或者日后解密录下的流量。",
        "只接受使用 AES-GCM 或 ChaCha20-Poly1305 的 ECDHE 套件。",
    ),
    "tls.misc": RuleText(
        "TLS 选项削弱了连接安全",
        "可以从长度推测机密，或者把外来请求混入会话。",
        "关闭 TLS 压缩，并使用支持 RFC 5746 的 TLS 库。",
    ),
    "http.no_https": RuleText(
        "网站无法通过 https 访问",
        "路径上的任何人都能读取并修改访问者看到和发送的内容。",
        "申请证书（ACME 免费），用 https 提供同一个网站。",
    ),
    "http.redirect": RuleText(
        "http 没有直接跳转到 https",
        "直接输入域名的访问者可能被路径上的人留在 http 上。",
        "对每个 http 请求都跳转到同一主机的 https。",
    ),
    "http.hsts": RuleText(
        "HSTS 缺失或较弱",
        "每次访问的第一个请求都可能被劫持（SSL 剥离）。",
        "在每个 https 响应中发送该头，并逐步提高 max-age。",
    ),
    "http.csp": RuleText(
        "内容安全策略（CSP）缺失或较弱",
        "一处可写入页面的缺陷就会变成会话被接管。",
        "先用只报告模式，再强制执行带 nonce 的策略。",
    ),
    "http.framing": RuleText(
        "网站可被陌生站点嵌入框架",
        "访问者可能被诱导点击隐藏的页面（点击劫持）。",
        "发送 frame-ancestors；只为很旧的浏览器再加 X-Frame-Options。",
    ),
    "http.nosniff": RuleText(
        "浏览器可能猜测内容类型",
        "上传的文件即使标为其他类型，也可能被当作脚本执行。",
        "在每个响应中发送该头，并使用正确的内容类型。",
    ),
    "http.referrer": RuleText(
        "页面地址会泄露给其他网站",
        "含有姓名、搜索词或令牌的地址会传到其他网站。",
        "发送不泄露路径的 Referrer-Policy。",
    ),
    "http.isolation": RuleText(
        "页面未与其他来源隔离",
        "缺少针对跨站泄露和 Spectre 的纵深防御。",
        "发送这些响应头；Cross-Origin-Embedder-Policy 先用只报告模式。",
    ),
    "http.obsolete": RuleText(
        "发送了过时的响应头",
        "它们最多毫无作用，在某些旧浏览器上反而更糟。",
        "删除这些响应头；X-XSS-Protection 可以保留为 0。",
    ),
    "http.mixed": RuleText(
        "https 页面使用了 http 内容",
        "路径上的人可以修改页面，或读取表单发送的内容。",
        "全部改用 https 加载。",
    ),
    "http.sri": RuleText(
        "第三方脚本未固定完整性",
        "谁控制了对方主机，谁就能在本站页面里运行代码。",
        "添加 integrity 和 crossorigin，或者自行托管脚本。",
    ),
    "http.cookie.secure": RuleText(
        "Cookie 未设置 Secure",
        "会话可能在第一个 http 请求中被盗。",
        "给每个 Cookie 加上 Secure。",
    ),
    "http.cookie.httponly": RuleText(
        "会话 Cookie 可被脚本读取",
        "一段注入的脚本就足以盗取会话。",
        "给会话 Cookie 加上 HttpOnly。",
    ),
    "http.cookie.samesite": RuleText(
        "Cookie 没有有效的 SameSite",
        "其他网站可以以访问者的名义发送请求（CSRF）。",
        "设置 SameSite=Lax 或 Strict；None 只在需要时与 Secure 一起使用。",
    ),
    "http.cookie.scope": RuleText(
        "会话 Cookie 的作用范围过大",
        "相邻的薄弱主机可以读取或植入会话。",
        "去掉 Domain，并使用 __Host- 前缀。",
    ),
    "http.cors": RuleText(
        "其他网站可以读取响应",
        "已登录的访问者打开任意网站，该网站就能读取其数据。",
        "只允许固定的来源列表；不要回显 Origin，也不要允许 null。",
    ),
    "http.methods": RuleText(
        "允许不常用的请求方法",
        "TRACE 会显示脚本不应看到的头；写入类方法可能改动文件。",
        "关闭 TRACE，只允许应用实际使用的方法。",
    ),
    "http.banner": RuleText(
        "响应头暴露软件信息",
        "攻击者可以挑选合适的漏洞利用；它本身不是漏洞。",
        "删除这些响应头，或者只保留产品名。",
    ),
    "http.eol": RuleText(
        "软件已停止维护",
        "新发现的漏洞将一直存在。",
        "升级到仍有安全修复的版本线。",
    ),
    "http.error": RuleText(
        "错误页面暴露内部信息",
        "路径、版本、查询甚至机密会被泄露；调试器还能执行代码。",
        "在生产环境关闭调试模式，显示简单的错误页。",
    ),
    "http.listing": RuleText(
        "目录可被列出",
        "从未被链接的文件也会被找到并读取。",
        "关闭自动目录索引。",
    ),
    "http.login_plain": RuleText(
        "密码经由 http 传输",
        "路径上的任何人都能读到密码。",
        "用 https 提供含表单的页面，并让表单提交到 https。",
    ),
    "files.secret": RuleText(
        "含有机密的文件可公开访问",
        "任何人都能下载密码、密钥或源代码。",
        "删除该文件，阻止访问该路径，并更换其中的所有机密。",
    ),
    "files.debug": RuleText(
        "调试页面或元数据文件可公开访问",
        "会泄露设置、客户端地址、文件名或源代码。",
        "删除它，或者只允许内部访问。",
    ),
    "files.securitytxt": RuleText(
        "security.txt 缺失或有误",
        "漏洞报告会丢失，或送到错误的人手里。",
        "发布带有 Contact 和 Expires 的 /.well-known/security.txt，并保持更新。",
    ),
    "files.robots": RuleText(
        "robots.txt 暴露了私有路径",
        "它只会指明该看哪里，并不能保护任何东西。",
        "用登录保护这些路径，不要把名称写进文件。",
    ),
    "dns.spf": RuleText(
        "SPF 未说明谁可以发信",
        "冒用该域名的伪造邮件更容易被接收。",
        "发布一条列出发信方并以 -all 结尾的记录。",
    ),
    "dns.dmarc": RuleText(
        "DMARC 未能阻止伪造邮件",
        "冒用该域名发件人的邮件会送达读者。",
        "先用 p=none 和 rua 收集报告，再改为 quarantine 和 reject。",
    ),
    "dns.dkim": RuleText(
        "DKIM 密钥较弱或处于测试模式",
        "签名可能被伪造，或者被接收方忽略。",
        "用新的选择器发布 2048 位密钥并用它签名。",
    ),
    "dns.mta_sts": RuleText(
        "发往该域的邮件在途中未受保护",
        "路径上的人可以去除加密并读取邮件。",
        "先以 testing 模式发布 MTA-STS 策略和 TLS-RPT，再改为 enforce。",
    ),
    "dns.dnssec": RuleText(
        "DNSSEC 缺失、失效或较弱",
        "应答可以被伪造；信任链断裂时，会验证的解析器将无法解析该区域。",
        "用算法 13 签名，并把 SHA-256 的 DS 记录交给注册商。",
    ),
    "dns.caa": RuleText(
        "CAA 未限制谁可以签发证书",
        "你从未选用的机构可能被骗为该名称签发证书。",
        "为你使用的机构发布 CAA 记录。",
    ),
    "dns.axfr": RuleText(
        "可以下载整个区域",
        "区域内的所有主机，包括内部名称，会一次性暴露。",
        "只允许从服务器传输区域，并使用 TSIG。",
    ),
    "dns.delegation": RuleText(
        "域名委派有误或脆弱",
        "名称解析变慢、时断时续或失败；失效服务器的名称还可能被他人买走。",
        "移除失效的服务器，在不同网络保留两台，并与上级区域保持一致。",
    ),
    "dns.dangling": RuleText(
        "记录指向不存在的目标",
        "陌生人可能接管目标，以该域名的名义发布内容。",
        "删除该记录，或者重新取得目标。",
    ),
    "dns.private": RuleText(
        "公共 DNS 返回内部地址",
        "内部网络结构会暴露，网页还可能被重绑定到内网。",
        "把内部名称放在只有内部可见的区域中。",
    ),
    "dns.wildcard": RuleText(
        "该区域下任意名称都能解析",
        "输入错误也会到达服务器，按名称盘点资产变得不可靠。",
        "不需要通配时使用单条记录。",
    ),
    "dns.recursion": RuleText(
        "名称服务器是开放解析器",
        "它可能被用来攻击他人，其缓存也可能被投毒。",
        "只允许自己的网络使用递归。",
    ),
    "reg.expiry": RuleText(
        "域名注册即将到期",
        "一旦过期，网站和邮件会停止，陌生人还可以注册该名称。",
        "续费并开启自动续费。",
    ),
    "reg.lock": RuleText(
        "域名没有转移锁",
        "只要注册商密码被盗，域名就可能被转走。",
        "在注册商处开启转移锁。",
    ),
    "ct.names": RuleText(
        "证书日志中还有其他名称",
        "被遗忘的主机往往最薄弱。",
        "确认每个名称是否仍需要；属于你的就加入检查范围。",
    ),
    "svc.admin": RuleText(
        "内部服务可从外部访问",
        "一个弱密码，甚至没有密码，就会失去数据或主机。",
        "绑定到内部地址，并用防火墙拒绝其余访问。",
    ),
    "svc.clear": RuleText(
        "以明文接收密码",
        "路径上的任何人都能读到密码和内容。",
        "要求使用 TLS，或更换服务：用 SFTP 代替 FTP，用 SSH 代替 Telnet。",
    ),
    "svc.smtp": RuleText(
        "邮件服务器未保护邮件",
        "发往该域的邮件以明文穿过网络。",
        "提供 STARTTLS，并使用与 MX 名称相符的证书。",
    ),
    "svc.ssh": RuleText(
        "SSH 服务器较旧或提供旧算法",
        "已知漏洞不会被修复；弱算法有利于路径上的攻击者。",
        "升级服务器并保留其默认算法。",
    ),
    "svc.inventory": RuleText(
        "开放端口",
        "本身没有影响；但每个开放端口都需要维护。",
        "关闭不需要的端口。",
    ),
}
