# The beginning of the scripts that run built tests in a way of their own: changes to the package's folder. Sourced, not run.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Sets `binary` to the tests that the script was given, or else to those of the debug build, which it builds.
find_binary() {
  binary=${1:-}
  if [ -z "$binary" ]; then
    swift build --quiet --build-tests
    binary=$(swift build --show-bin-path)/FieldKitPackageTests.xctest
  fi
}
