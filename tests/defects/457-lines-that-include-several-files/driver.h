/* the file is included repeatedly */
#ifdef BEFORE
BEFORE
#endif
#include IMPL /* which one? */
#undef NAME
#undef TYPE
#undef IMPL
#undef EXPR
