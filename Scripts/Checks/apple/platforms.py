"""The platforms, and the modules that stand for their SDKs."""

import hashlib
import pathlib
import re
import shutil
import subprocess

import interfaces

HERE = pathlib.Path(__file__).resolve().parent
TOOLCHAIN = pathlib.Path(shutil.which("swiftc")).resolve().parents[1]
RESOURCES = TOOLCHAIN / "lib/swift"
FRONTEND = str(TOOLCHAIN / "bin/swift-frontend")


class Failure(Exception):
    """What the compiler complained about."""

    def lines(self):
        """The errors, each in one line; else the end of the messages."""
        found = re.findall(r"^\S.*?:\d+(?::\d+)?: (?:fatal )?error: .*$", str(self), re.M)
        return list(dict.fromkeys(found)) or str(self).strip().split("\n")[-20:]


def run(arguments):
    """Runs the compiler, and raises its complaints."""
    result = subprocess.run([FRONTEND, "-frontend", *map(str, arguments)], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    if result.returncode:
        raise Failure(result.stderr or f"the compiler ended with {result.returncode}")


def linux_interface(module):
    """The interface of a module of the toolchain, which is that for Linux."""
    folder = RESOURCES / f"linux/{module}.swiftmodule"
    return next(path for path in folder.glob("*.swiftinterface") if ".private." not in path.name).read_text()


class Platform:
    """A target, its C library, and the folder where its modules are built."""

    def __init__(self, name, triple, clibrary, headers, folder):
        self.name, self.triple, self.clibrary, self.headers, self.folder = name, triple, clibrary, headers, folder
        self.is_apple = clibrary == "Darwin"
        self.modules = folder / "modules"
        self.sysroot = folder / "sysroot"
        self.key = ""
        # Without interoperability with Objective-C, as the interfaces for Linux are: they lack what it needs.
        self.options = ["-target", triple, "-disable-objc-interop", "-resource-dir", RESOURCES, "-nostdimport",
                        "-module-cache-path", folder / "cache", "-sdk", self.sysroot, "-sysroot", self.sysroot,
                        "-I", self.modules, "-I", HERE / "headers" / clibrary, "-in-process-plugin-server-path",
                        RESOURCES / "host/libSwiftInProcPluginServer.so", "-plugin-path", RESOURCES / "host/plugins"]

    def build(self):
        """Builds the modules of the system, except those that are there."""
        self.key = repr([str(option) for option in self.options])
        for path in sorted((HERE / "headers").rglob("*.*")):
            self.add(path.read_text())
        self.add(repr([str(folder) for folder in self.headers]))
        if not self.is_built("sysroot"):
            shutil.rmtree(self.folder, ignore_errors=True)
            for folder in self.headers:
                shutil.copytree(folder, self.sysroot / "usr/include", dirs_exist_ok=True)
            (self.sysroot / "include").symlink_to("usr/include")
            self.note("sysroot")
        for module in ("Swift", "SwiftOnoneSupport", "_Concurrency", "_RegexParser", "_StringProcessing"):
            self.build_library(module)
        self.build_stub(self.clibrary, [f"@_exported import {self.clibrary}"], "CLibrary", "POSIXErrorCode",
                        "WASIErrno" if self.clibrary == "WASILibc" else "Errno")
        for module in ("Synchronization", "Observation", "Testing"):
            self.build_library(module)
        if self.is_apple:
            exported = ["@_exported import Darwin"]
            self.build_stub("Dispatch", exported, "Dispatch")
            self.build_stub("os", exported, "os")
            exported.append("@_exported import Dispatch")
            self.build_stub("Foundation", exported, "Essentials", "Foundation", "URLSession")
        else:
            self.build_stub("FoundationEssentials", [f"import {self.clibrary}"], "Essentials", "FoundationEssentials")
            if self.clibrary != "WASILibc":
                self.build_stub("Dispatch", [], "Dispatch")

    def build_frameworks(self):
        """Builds the frameworks of apps, and returns the key of all that has been built."""
        key, foundation = self.key, "@_exported import Foundation"
        self.build_stub("CoreLocation", [foundation], "CoreLocation")
        self.build_stub("SwiftUI", [foundation], "SwiftUI")
        self.build_stub("MapKit", ["@_exported import CoreLocation", "import SwiftUI"], "MapKit")
        self.build_stub("WidgetKit", [foundation, "@_exported import SwiftUI"], "WidgetKit")
        self.build_stub("BackgroundTasks", [foundation], "BackgroundTasks")
        # The package uses none of them, and isn't compiled again when they change.
        key, self.key = self.key, key
        return key

    def add(self, text):
        """Makes a text part of the key of what has been built so far."""
        self.key = hashlib.sha256(f"{self.key} {text}".encode()).hexdigest()

    def is_built(self, part, key=None):
        """Whether a part was built from what has the key."""
        stamp = self.folder / f"{part}.key"
        return stamp.exists() and stamp.read_text() == (key or self.key)

    def note(self, part, key=None):
        """Notes that a part is built."""
        (self.folder / f"{part}.key").write_text(key or self.key)

    def build_library(self, module):
        """Builds a module of the toolchain from its interface for Linux."""
        text = interfaces.interface(linux_interface(module), self.triple, self.clibrary)
        self.build_interface(module, text, ["-disable-availability-checking"] +
                             (["-parse-stdlib"] if " -parse-stdlib " in text else []))

    def build_stub(self, module, imports, *names):
        """Builds a module from the interfaces in `stubs`."""
        version = linux_interface("Swift").split("\n")[1]
        text = "\n".join([
            "// swift-interface-format-version: 1.0", version,
            f"// swift-module-flags: -target {self.triple} -disable-objc-interop -enable-library-evolution "
            f"-swift-version 5 -module-name {module}", "import Swift", "import _Concurrency", *imports, ""])
        self.build_interface(module, text + "".join((HERE / f"stubs/{name}.swiftinterface").read_text() for name in names))

    def build_interface(self, module, text, flags=()):
        """Compiles a textual interface; a transparent function that doesn't suit the target loses its body."""
        self.add(f"{flags} {text}")
        if self.is_built(module):
            return None
        path = self.folder / "interfaces" / f"{module}.swiftinterface"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.modules.mkdir(parents=True, exist_ok=True)
        for attempt in range(4):
            path.write_text(text)
            try:
                run(["-compile-module-from-interface", *self.options, "-module-name", module, *flags, "-o",
                     self.modules / f"{module}.swiftmodule", path])
                return self.note(module)
            except Failure as failure:
                lines = {int(line) - 1 for line in re.findall(r"^\S+?:(\d+):\d+: error: ", str(failure), re.M)} - {0}
                if not lines or attempt == 3:
                    raise Failure(f"the interface of {module} doesn't compile for {self.triple}:\n"
                                  + "\n".join(failure.lines()[:20])) from None
                text = "\n".join(interfaces.rewrite(text.split("\n"), None, lines))
