"""Hosting providers whose names can be claimed by whoever asks, and their "nobody here" pages.

The list holds providers that let a customer bind a name of the customer's own choice, so that a
forgotten alias can be claimed by a stranger. The texts are what their pages say when nobody has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider."""

    name: str
    suffixes: tuple[str, ...]
    """Names that its customers' names end in, without a leading dot."""
    unclaimed: str
    """Part of the page that is shown for a name that nobody has bound."""


PROVIDERS: Final = (
    Provider("GitHub Pages", ("github.io",), "There isn't a GitHub Pages site here"),
    Provider("Heroku", ("herokuapp.com", "herokudns.com", "herokussl.com"), "No such app"),
    Provider("Amazon S3", ("s3.amazonaws.com", "s3-website.amazonaws.com"), "NoSuchBucket"),
    Provider("Azure", ("azurewebsites.net", "cloudapp.net", "trafficmanager.net"), "404 Web Site"),
    Provider("Fastly", ("fastly.net",), "Fastly error: unknown domain"),
    Provider("Shopify", ("myshopify.com",), "Sorry, this shop is currently unavailable"),
    Provider("Tumblr", ("domains.tumblr.com",), "Whatever you were looking for doesn't"),
    Provider("WordPress.com", ("wordpress.com",), "Do you want to register"),
    Provider("Ghost", ("ghost.io",), "The thing you were looking for is no longer here"),
    Provider("Surge", ("surge.sh",), "project not found"),
    Provider("Netlify", ("netlify.app", "netlify.com"), "Not Found - Request ID"),
    Provider("Pantheon", ("pantheonsite.io",), "The gods are wise"),
    Provider("Read the Docs", ("readthedocs.io",), "unknown to Read the Docs"),
    Provider("Bitbucket", ("bitbucket.io",), "Repository not found"),
    Provider("Zendesk", ("zendesk.com",), "Help Center Closed"),
    Provider("Unbounce", ("unbouncepages.com",), "The requested URL was not found"),
)


def provider_of(name: str) -> str | None:
    """The provider under whose names a name stands; None where it is none that we know."""
    found = find_provider(name)
    return found.name if found else None


def find_provider(name: str) -> Provider | None:
    """The same as `provider_of`, with what its page would say."""
    for provider in PROVIDERS:
        if any(name == end or name.endswith("." + end) for end in provider.suffixes):
            return provider
    return None
