// The header of the SDK's module MachO that FieldKit uses.
#include "Darwin.h"
#include <mach-o/dyld.h>
