int f(int a)
{
    int x = (a)(b)(c);
    x = g((a)(b)(c)d);
    x = (T)(U)++y + (T)--p->x - (a)++(b) * (a)++b;
    x = (T)*++y & (T)++(*y) | (T)++(y)->z;
    x = (unsigned char)++(y)->z + (T)~y + (T)!y + (T)sizeof y + (T)sizeof(int);
    s = (u8)"a" "b";
    s = (u8)F(x)"a"[0];
    s = (u8)F(x)(y)[0].z++;
    s = (T)F "a" G;
    s = f((a)(b)(c)"s" x);
    return (T)(x);
}
