// A test that stubs a transport usually needs a manual clock, too, so one import provides both.
@_exported public import FieldFakes
