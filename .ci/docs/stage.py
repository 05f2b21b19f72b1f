"""Copies the documents, and what they link to, into a folder where a link leads to the same place as in
the checkout: stage.py CHECKOUT FOLDER. A folder that is linked to gets a page that lists its files."""

import pathlib
import re
import shutil
import sys

LINK = re.compile(r"(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")
CODE = re.compile(r"(^```.*?^```|`[^`\n]*`)", re.DOTALL | re.MULTILINE)

root, target = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
shutil.rmtree(target, ignore_errors=True)
documents = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")]
documents += [*root.glob("docs/**/*.md"), *root.glob(".ci/*/*.md")]


def shown(name):
    """What a file is called on the site: browsers show a source as text, and no tool takes it for one."""
    return name + ".txt" if name.endswith(".java") else name


def put(file, text=None):
    copy = target / shown(str(file.relative_to(root)))
    copy.parent.mkdir(parents=True, exist_ok=True)
    if text is None:
        shutil.copy(file, copy)
    else:
        copy.write_text(text, encoding="utf-8")


def listing(folder):
    """The page of a folder, which leads to its files; its README where it has one."""
    if (folder / "README.md") in documents:
        return "README.md"
    lines = [f"# {folder.relative_to(root)}", ""]
    for file in sorted(folder.iterdir()):
        if file.is_file():
            put(file) if file not in documents else None
            lines.append(f"- [{file.name}]({shown(file.name)})")
        elif file.name != "target":
            lines.append(f"- {file.name}/")
    put(folder / "index.md", "\n".join(lines) + "\n")
    return "index.md"


def linked(document, match):
    before, path, after = match.groups()
    file = (document.parent / path).resolve()
    if not file.is_relative_to(root):
        sys.exit(f"{document.relative_to(root)}: {path} leads out of the checkout")
    if file.is_dir():
        return f"{before}{path.rstrip('/')}/{listing(file)}{after}"
    if file.exists() and file not in documents:
        put(file)
        return f"{before}{shown(path)}{after}"
    return match.group(0)


for document in documents:
    parts = CODE.split(document.read_text(encoding="utf-8"))
    for i in range(0, len(parts), 2):  # the others are code
        parts[i] = LINK.sub(lambda match: linked(document, match), parts[i])
    put(document, "".join(parts))
