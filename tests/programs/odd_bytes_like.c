/* Windows line ends,	tabs and bytes that are no UTF-8: äöü ÿ */
#include <stdio.h>

int main(void)
{
	int a[9], s = 0; /* ß */
	#pragma omp target teams distribute parallel for \
		map(from : a) // µ
	for (int i = 0; i < 9; i++) {
		a[i] = i;
	}
#pragma omp target data map(tofrom : s)
#pragma omp target map(tofrom : s)
	s = 5;
	printf("%d %d\n", a[8], s);
	return 0;
}
