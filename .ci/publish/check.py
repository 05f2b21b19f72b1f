"""Checks a folder of published artifacts against what Maven Central asks for: check.py FOLDER VERSION."""

import pathlib
import sys
import xml.etree.ElementTree as xml
import zipfile

NAMESPACE = {"m": "http://maven.apache.org/POM/4.0.0"}
OF_EACH = ("name", "description")
INHERITED = (
    "url",
    "licenses/license/name",
    "licenses/license/url",
    "developers/developer/name",
    "scm/connection",
    "scm/url",
)

group, version = pathlib.Path(sys.argv[1]) / "io" / "tidemark", sys.argv[2]
problems = []


def text(pom, path):
    return (pom.findtext("/".join(f"m:{each}" for each in path.split("/")), "", NAMESPACE) or "").strip()


def path_of(artifact, ending):
    return group / artifact / version / f"{artifact}-{version}{ending}"


def holds(file, wanted):
    """Whether a jar has a file whose name ends so."""
    if not file.is_file():
        return False
    with zipfile.ZipFile(file) as jar:
        return any(each.endswith(wanted) for each in jar.namelist())


poms = {each.name: xml.parse(path_of(each.name, ".pom")).getroot() for each in sorted(group.iterdir())}
parent = poms["tidemark-parent"]
jars = []
for name, pom in poms.items():
    for path in OF_EACH:
        if not text(pom, path):
            problems.append(f"{name}: its pom has no {path}")
    for path in INHERITED:
        if not text(pom, path) and not (text(pom, "parent/artifactId") and text(parent, path)):
            problems.append(f"{name}: its pom has no {path}, nor has its parent")
    if "SNAPSHOT" in path_of(name, ".pom").read_text(encoding="utf-8"):
        problems.append(f"{name}: its pom names a snapshot")
    if text(pom, "packaging") == "pom":
        continue
    jars.append(name)
    for ending, wanted in ((".jar", ".class"), ("-sources.jar", ".java"), ("-javadoc.jar", "/package-summary.html")):
        if not holds(path_of(name, ending), wanted):
            problems.append(f"{name}: {name}{ending} is missing, or has no {wanted}")

listed = {each.text for each in poms["tidemark-bom"].iterfind(".//m:dependency/m:artifactId", NAMESPACE)}
problems += [f"{name}: is not in the BOM" for name in jars if name not in listed]
problems += [f"{name}: is in the BOM, and not published" for name in sorted(listed.difference(jars))]
print("\n".join(problems) or f"{len(jars)} artifacts with jar, sources, javadoc and pom; {len(poms) - len(jars)} poms")
sys.exit(bool(problems))
