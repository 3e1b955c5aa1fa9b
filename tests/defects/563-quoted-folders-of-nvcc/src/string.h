#error "this is no string.h of the system"
