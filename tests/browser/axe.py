"""Deque's axe on a page: every rule that it runs by default, within shadow roots too."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from tests.browser.app import Visitor

CONTRAST = ("color-contrast",)
"""What another theme can break: all other rules read what stands in the page, not its colours."""

_UPLOADER = "section[data-testid=stFileUploaderDropzone]"
STREAMLITS_OWN = (
    # an uploader is a section of the role presentation that has a name, which no setting of ours takes away
    ("presentation-role-conflict", _UPLOADER),
    # two uploaders that take the same files have that one name; the groups around them are named apart
    ("landmark-unique", _UPLOADER),
    # the list that opens below a box of tags is put beside the app, at the end of the page
    ("region", "body > div [role=listbox]"),
)
"""Findings in markup that Streamlit writes, by rule and selector: minor and moderate ones alone."""

_AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
_RUN = """
const [only, others, done] = arguments;
const options = {resultTypes: ["violations"], elementRef: true};
if (only) options.runOnly = {type: "rule", values: only};
const isOurs = (rule, node) => !others.some(([id, selector]) => id === rule.id && node.element?.matches(selector));
const said = (rule, node) => `${rule.impact} ${rule.id}: ${node.html.slice(0, 200)}; ${node.failureSummary}`;
const lines = ({ violations }) =>
  violations.flatMap((rule) => rule.nodes.filter((node) => isOurs(rule, node)).map((node) => said(rule, node)));
axe.run(document, options).then(lines).then(done, (error) => done(String(error)));
"""


def findings(visitor: Visitor, only: Sequence[str] | None = None) -> list[str]:
    """What axe finds on the page now, a line each; with `only` by these rules."""
    if not visitor.driver.execute_script("return Boolean(window.axe)"):
        visitor.driver.execute_script(f"{_AXE}; window.axe = axe")
    found = visitor.driver.execute_async_script(_RUN, only, STREAMLITS_OWN)
    assert isinstance(found, list), found
    return found
