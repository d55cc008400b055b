from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from handfast_inspect.probes.security_txt import (
    MAX_LINES,
    MAX_PATHS,
    read_robots,
    read_security_txt,
)

PLAIN = """# our contacts
Contact: mailto:security@site.test
contact: https://site.test/report
Expires: 2027-01-01T00:00:00z
"""

SIGNED = f"""-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

{PLAIN}- Preferred-Languages: en, zh
-----BEGIN PGP SIGNATURE-----

iQ=
-----END PGP SIGNATURE-----
"""


def test_fields_are_read_in_order_with_lower_case_names() -> None:
    read = read_security_txt(PLAIN)
    assert read.fields == (
        ("contact", "mailto:security@site.test"),
        ("contact", "https://site.test/report"),
        ("expires", "2027-01-01T00:00:00z"),
    )
    assert not read.signed
    assert read.error == ""


def test_a_signed_file_is_unwrapped() -> None:
    read = read_security_txt(SIGNED)
    assert read.signed
    assert read.error == ""
    assert read.fields[-1] == ("preferred-languages", "en, zh")


def test_line_ends_and_a_byte_order_mark_do_not_matter() -> None:
    assert read_security_txt("\ufeff" + PLAIN.replace("\n", "\r\n")).fields[0][0] == "contact"


def test_the_first_line_that_is_no_field_is_the_error() -> None:
    read = read_security_txt("<html>\n<body>\nContact: x")
    assert read.error == "no field: '<html>'"
    assert read.fields == (("contact", "x"),)


def test_robots_name_what_they_must_not_visit() -> None:
    read = read_robots(
        "User-agent: *\nDisallow: /admin # here\nDISALLOW:/admin\nDisallow:\nAllow: /\n"
        "Sitemap: https://site.test/map.xml\n<html>"
    )
    assert read.disallow == ("/admin",)
    assert read.sitemaps == ("https://site.test/map.xml",)


def test_long_files_are_capped() -> None:
    assert len(read_robots("\n".join(f"Disallow: /{n}" for n in range(5000))).disallow) == MAX_PATHS
    assert len(read_security_txt("a: b\n" * 5000).fields) == MAX_LINES


@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    read_security_txt(text)
    read_robots(text)
