// A test that stubs a transport mostly wants a clock of its own as well: one import brings both.
@_exported public import FieldFakes
