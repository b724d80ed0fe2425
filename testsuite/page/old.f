C     For fortran.py: the old form, with comments and with text behind column 72.
      PROGRAM OLD
      INTEGER I, J
      DOUBLE PRECISION X(1000), S
      S = 0.0D0
      DO 10 J = 1, 50000
C        this is no code
         DO 20 I = 1, 1000
* nor is this
            X(I) = SQRT(DBLE(I)) * J                                    HOT
     +        + 1.0D0                                                   HOT
   20    CONTINUE
         S = S + X(MOD(J, 1000) + 1)
   10 CONTINUE
      PRINT *, S
      END
