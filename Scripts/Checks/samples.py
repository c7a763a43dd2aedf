#!/usr/bin/env python3
"""Compiles the samples in the doc comments of the front doors' members.

Usage: samples.py [MODULES]
MODULES is the folder of the built modules, by default .build/debug/Modules. A sample may use the values of PREAMBLE.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = set("""
Field Zoo Metro MetroNetwork ArrivalBoard MeteoriteCatalog MeteoriteView WalkDiary WalkRecorder CivicDirectory Storage RecordStore
FileStore FieldError Transport Kit EngineKit Catalog CatalogView CivicView ZooView Animal Walk
""".split())
PREAMBLE = """
import FieldKit
import Foundation

struct Visit: StoredRecord {
  var id: UUID
  var count = 0
}

struct BikeStation: CatalogRecord {
  var id: RecordID<BikeStation>
  var bikes: Int
}

struct Tree: CatalogRecord {
  var id: String
  var species: String?
  var height: Double?
  var planted: Int
}

func given<Value>() -> Value { fatalError() }
func show(_ values: Any...) {}

let field: Field = given()
let kit: any Kit = given()
let zoo: Zoo = given()
let metro: Metro = given()
let catalog: MeteoriteCatalog = given()
let diary: WalkDiary = given()
let walk: WalkRecorder = given()
let finished: Walk = given()
let mesh: Pet = given()
let animal: Animal = given()
let board: ArrivalBoard = given()
let directory: CivicDirectory = given()
let bikes: Catalog<BikeStation> = given()
let trees: Catalog<Tree> = given()
let storage: Storage = given()
let provider: Storage = given()
let store: any RecordStore<Visit> = given()
let visits: FileStore<Visit> = given()
let visit: Visit = given()
let transport: any Transport = given()
let error: FieldError = given()
let url: URL = given()
let mirror: URL = given()
let folder: URL = given()
let jpeg: Data = given()
let here: Coordinate = given()
let id: UUID = given()
let number = 7
let treeGuidance: [FieldError.Code: FieldError.Guidance] = given()
"""
DECLARATION = re.compile(r"(?:public |package |final |@\w+ )*(?:struct|class|protocol|enum|actor|extension) (\w+)")


def samples(path):
    """The samples of a file's members, each with the number of its first line."""
    owner, sample, start = None, None, 0
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if found := DECLARATION.match(line):
            owner = found[1]
        comment = re.match(r"\s+///(?: (.*))?$", line)
        text = (comment[1] or "") if comment else ""
        if sample is None and text == "```swift":
            sample, start = [], number + 1
        elif sample is not None and text == "```":
            if owner in TYPES:
                yield start, sample
            sample = None
        elif sample is not None:
            sample.append(text)


modules = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/debug/Modules")
program, count = [PREAMBLE], 0
for path in sorted((ROOT / "Sources").glob("*/**/*.swift")):
    if any(part.endswith(".docc") or part == "WalkFirestore" for part in path.parts):
        continue  # FieldKit doesn't contain WalkFirestore
    for line, sample in samples(path):
        count += 1
        place = f'#sourceLocation(file: "{path}", line: {line})'
        if sample[0].startswith("extension"):
            program += [place, *sample, "#sourceLocation()"]
        else:
            program += [f"func sample{count}() async throws {{", place, *sample, "#sourceLocation()", "}"]
with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "Samples.swift"
    source.write_text("\n".join(program) + "\n")
    subprocess.run(
        ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-suppress-warnings", "-I", modules, source],
        check=True)
print(f"samples: all {count} samples compile")
