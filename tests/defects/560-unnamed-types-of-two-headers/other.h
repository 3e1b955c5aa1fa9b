#pragma once
namespace lib { enum { OTHER = 4 };
typedef struct { int x; } two; template <int N> struct more { enum { size = N }; }; }
