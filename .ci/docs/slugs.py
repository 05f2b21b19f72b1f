"""Names of headings as forges make them, so that a link leads to the same one on the site."""

import re


def slug(heading, separator):
    kept = re.sub(r"[^\w _-]", "", heading.lower())
    return kept.replace(" ", separator)
