package a

func f()
{
}
