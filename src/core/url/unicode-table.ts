// Written by tools/unicode-table.mjs: UTS #46 of Unicode 17 as tr46 6.0.0 has it, of Unicode 18 as tr46 7.0.0 has it (MIT, copyright
// Sebastian Mayr), normalization as UAX #15 defines it. Copyright 1991-2026 Unicode, Inc.,
// https://www.unicode.org/license.txt.

/** What an older version has in place of the newest. */
interface OlderVersion {
  readonly version: number;
  readonly gaps: string;
  readonly lengths: string;
  readonly kinds: string;
  readonly mappings: readonly (readonly [code: number, text: string])[];
}

/** The versions of Unicode, ascending. */
export const UNICODE_VERSIONS = [17, 18] as const;

/** Pairs of them whose forms of a URL that is valid in both are equal. */
export const EQUAL_FORMS: readonly (readonly [one: number, other: number])[] = [[17, 18]];

// Columns of numbers in the digits of number-column.ts. A gap or a difference counts from the number before.

/** A status and, of valid code points, a Bidi_Class, a Joining_Type and an M for marks, as unicode.ts has them. */
export const KINDS = [
  'valid O',
  'valid F',
  'valid E',
  'mapped',
  'valid L',
  'disallowed',
  'mapped-to-several',
  'ignored',
  'valid N T M',
  'valid R',
  'valid R D',
  'valid R R',
  'valid A',
  'valid L U M',
  'valid L T M',
  'valid O D',
  'valid L D',
  'valid L L',
  'valid R L',
  'valid R T',
];

// All code points in runs of one kind, in the newest version: an index in KINDS, one digit each, and the length less 1.

export const RUN_KINDS =
  ' ! ! # % & (% ) % * ) %)% )% ) % %& &%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&)&)%&%&%&%&%&)%&%&%&%&)%&%&' +
  '%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&)%&%&%&%&%&%&%&%&%&%&%&%' +
  '&%&%&%&%&%&)%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&% & & ) % & +%+%)%+*+%' +
  '&%&% %&()&%()%(%(%&%(%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&% %&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&+%&%&%&%&%&%&%&%&%&' +
  '%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&' +
  '%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&(%(%&)& % (+,+,+,+,+(,(,( , , , +,(,-,.-.-.-.-,-.-+/ /,-+.,)-.-.-.-.-.-.,.+( +' +
  ',+ +.#-,-,(.+-.-.-.-.-.-.+(.-.-.-.-.-.-,+,(,-+, ,(+,+,+,+,+(,(.-.-.-.-.+(,(-,-,.-.(.,-,-.-(+-.,.-.-.-,+(+0&+0+&0' +
  '+0+0&+)&+&+0(&(&(&(&(&(&(+&0+(0(0+&(0()()&+(& & &+(+0(&(&(&(&(&)(&)(&(+(0+(+(+(+()&()(&+&+&(+0(&(&(&(&(&(&(+&0+(' +
  '+0(0+(&(&+(& (&+(+0(&(&(&(&(&(&(+&0+0+(0(0+(+0()(&+(&(+&(&(&(&(&(&(&(&(&(&(0+0(0(0+(&(0(& (+0+&(&(&(&(+&+0(+(+(+' +
  '(&(&(&+(&(& &+0&(&(&(&(&(+&010(10(0+(0(&(&+(&(&0(+0&(&(&+&0+(0(0+&(&0&+(&(+0(&(&(&(&(&(+(0+(+(0(&(0&(&+&)+( &+&(' +
  '&(&(&(&(&(&+&)+&(&(&(+(&()&(&%&+&+&+&+ 0&)&(&)&)&)&)&)&(+)+)+0+)+&+&+)+(+)+)+)+)+)+(&+&(&(&0+0+0+0+&0+&+&0&0&+&+' +
  '0+0+&0&0+&%(%(%(&%&*&(&(&(&(&(&(&(&(&(&(&(&(&(&(&(&(+&(& (&(%( &(& (&(&+0(&+0&(&+(&(&(+(&*0+0+0+& &+(&( ( 2 *&(3' +
  '(&+3+3(&(&(+0+0(0+0+( ( &(&(&(&(&( &+0+(&0+0+(+0+0+0+(+&(&(&(+(+0&+0+101010&(&+&+0&0+0+0+&+0+0+0+0(&0+0+(&(&%&(%' +
  '(%&(+&+0+&+&+&0+&(&%&%&%&%&%&%+%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%' +
  '&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&)%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&' +
  '%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&(%(&%&%&(%(&(%(%(%(%&%&%&%&%&%&%&%&%()&)(&)%)%)(&)%)' +
  '&%(&%()&%&%)%()(&)%)(%* ( % ) ( (% ) ) ) ) ) ) %*(*%(% % ) (+()%) )% )% %) % ) % % % % % )% % &)%)%)%)%)%)%)%&%&' +
  ') ( ) ) % & & ( (%)()% & & ) ) ) ( %&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%' +
  '&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%& %&%&+%&( &(&(&(&(%&(+&(&(&(&(&(&(&(&(&(+ ( ( ( % %(%(% % & &+0 &% %& (' +
  '&(+)&) & &)(&(%*%(&%& (&)()%&)%)%&%)%)()()()& &( (& &(%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&+ + %&%&%&%&' +
  '%&%&%&%&%&%&%&%&%&%&%+&+&( %&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%' +
  '&%&%&%& &%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%(%(%&%&+&+&+&0+0 +(& (34& (0&0+(&(+&' +
  '+&+&+0(&(+0&+0+0+0&(&(&+&(&+0+0+(&+&+0(&(&0+0&+&+&+&+&+&(&0+0&0+(&(&(&(&(&(&%&% %(%&0+0+0&0+(&(&(&(&(%&%&%&%&%&%' +
  '&%&%(%()()()+)%)()()()()()%, %)%)%) ) ) () *%(%(+(% %)%(%(%(),)()%)(*(%*%(%(%(%(%(%)%(%(&(&(&(&(&(&(&(& &(&(& &(' +
  ' ( (&+(&(&(+#(&(&(&+(&(&(&(%&(&(%(&(&(&(&%(%(%(%(&(&(&(&(&(&(&(&(&%(%(%(,(,(,(,(,(,(,(,(,(,(,( ,(,(,(,(,+(+(+,(,' +
  '(,(+(+,(,(,(-.,.,.,5.-5-.-.,.+(-.,(,( ,(,(,-.-.-.-.-.-.(,(.-,(,(%(,(,5-.-+(/(/,%(+ ,(,(/(,(+,(,(.-,-(,+ 5(+,(-.-' +
  ',+-.,(-.-+,(-,-.,-.-.-,-.-,.-5(,(0+0&+&( &+&+&(+0&0+0+&(&+(&(&(+&+0+(&0&(&+&(+0&0+0&+&0+&(&(&(&0+0+0+&+&+(&(&(&(' +
  '&(&(&+0+(&(+0(&(&(&(&(&(&(+&0+0(0(0(&(0(&0(+(+(&(&(&(&(&0+(0(0(0(0+0+&+&(&(+(&0+0+0+&(&+&(&0+0+0+0+&(&(&0+(0+0+&' +
  '+(&0+0+0+&(&( (&+0+0+0+&(&(&(&(+0+0+0+(&(&0+0+&(%&(&(&(&(&(&0(0(+0+&0&0+&(&(&(&0+(+0+&0(&+1+&+0&+&+(&+0+&+0+&(&(' +
  '&(+0+0+0(&(&(&(&0+(+01&(&(&(+(0+0+0+(&(&(&+(+(+(+&+(&(&(&(&0(+(0+0+&(&(&(&(+&(&+0&(+&0&(&0+(0+0+&+(&(& (&(&(&(&(' +
  '&(+&+(&(&(&+0+&(&(&(&(&(&(&(+&(&+&(&(&(&(&(&(%&(%(&(&(+&0(+&(& &+(0&(&(&(&(&(&(&(&(&(&)&(&(&(&(&(&(&(&(&(&(&+&*(' +
  ' % ( ( ( ( (+(+(&(&(&+&)0+&0*+&+&+&)& & + (0&+&0&0(&(&( (&(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%)(%(%&+&+&+&+&(+' +
  '(+( (&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&%&(&)&(%+(+(+(+(+(%(+(&(+&(&(&(&+(&+&( (&+&(&+&(&(&(&+&+&+&+(&(&(&(&(&(,(,+(' +
  '%-+6(,(,(,(,(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%(%( ( ( ( ( ( ( () )%) %)&) &)& &(&)' +
  '%(%()(%( ( ( ( ( & ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( % (&(&(&(&(&(%(&(&(&(*(';

export const RUN_LENGTHS =
  '+&0&1,)=(=&C )   !   !!  ! ! # 9 ): *                                                  !   !      !             ' +
  '                                          !       !   ! #!% ! ##! !     !  !  ! #   !# )+               !       ' +
  '          !#  #                                                          )! !!  %        fD+!)0!((!&+ 3e!    + C' +
  '        ! #!%!&   ! 3 +F*                         # !   !!VS                                 !)                 ' +
  '                                     !            !                                                             ' +
  '                                    I  Q ! !# P   ! ! #(>%(3! !   !-  #  %    &%/ ) !7, ! ! # %14I !+    !!  )  ' +
  '(!! %!,#! 0!  #&% +     ! >! -#1!%  !#!(I- 0,D+!% ! :% + # &!1  &!  ,  ##!    %   !&5# !&  )+,#  !!( 1 : C Y    ' +
  '#*% ! )*!!@ ! *!!!8 )  #%!  #%!!!!  * %!  !!!.!) ! !!  (%!!8 )       !!  #!%!!## )#   ),!#  ,!  + # 8 ) ! &!  #&' +
  ' !  ! ! 1!!!- ) (  ! *!!!8 ) ! &!     %!!!! &% %! #!!4,   (## %#!   !#!###.%! !## # ! ( 0/*& # * # 9 2!  #% # %)' +
  '! # !!!!!,) )! !+ # 9 , &!    &  ! !!)!&# !!!, ! .!!+ # L! #% # # !%# ,!!=  ! 4#: +  !)# %##   *(,!! .S   )% )*/' +
  'H!   & :   ,   + !&   ) ,!!!C. -!>     %!# % % % % % . #%!  &&   # !&( % % % % % . # * ( /HN!% ( !!!9!!%# #!)#%/' +
  ' !!(   ,# !I  & !O fE!hK %!)   %!L %!D %!)   %!1 ] %!f#!#@#2,(f8!(! nd =!#f;)4# +5! !+4!./ # !.W! )* !-)   !,(,(' +
  ') #&,(f;)&!E  &f(,B #%!#%! (#% #!K!&-O%=(-#E9!! !Z   )    !*(,! ,(,(0!f 1% R  %   & !* @+.! A %!! #[  !#  #!*K**' +
  '!!#1#V, &N!#**# / )% ( ! ! &O# - 4 ?/ EHe                                                                       ' +
  '                                                                              &  !                              ' +
  '                                                                   +*(!(!****(!(!*        **              !S!#  ' +
  ' %! (   %%# !!% ## %&! !#   %# - !!  & .# ) #! !%   *#/ ) &&(!!> 2* ?-D1!   !   ,   !&!#       % -  &%&%!2 # % !' +
  '&# % !%# & !%g?! !h[!-f&= g68-7+B6=Xl  j5hei. fJ#fH g9!g,SS  #!      %  ! (&                                    ' +
  '                                                              !(    #  &)I  & ![)  0 9+) ) ) ) ) ) ) ) CfA!%?= %' +
  ' f5 .h8M   !#;+%! &  #!# f8!!!!  f= # &N V M !0CI,2B G%*2?!  TBRh# % 2 Jigeerz/#Z+ib#?6                         ' +
  '                    !% ,!                            !!f2!(*E             #                                     ' +
  '                          *    !          !   !   #                    & &               %   !               !% ' +
  '0&!!* # % 9!! % #*!(U  %*!U2!*.(4/ I*;-!-A## R !%!!#/ -%) ; L(!!!!+# *  !,!B   U  #!!&!   :2 !!&  ,(!(!(+) ) O%+' +
  ' !!!f2F! ! !   !,(k}G.9%Tjl%i0!   !,    !!#f%!fMI).&&   ,/ &   ! ! ,fE32, .4%ic4e!Y*C/#2! ()2 6!!%&!5 %%#   ,fX*' +
  '!  gB A#(!(!(!### # )3. = 5 ! 1!0Ef_&   %P#+f/! /# RP g!@#T1 >%G+A&I&&A H%0MKfY!,(G%G%K*W- - 1 ) ! - 1 ) !#W.iZ+' +
  '8,*: & M 0e(!  O !# !9 f**+S5 !&D# =&>I[%6!R# !&%% # @!#% +)+)eC&    !! &% & # ! !%% )+Y#)8!>&*   ## !  !  )%.%!' +
  ' f2f+ZV/V)( D  %*,(,(8#& 9*!h2B M ! !!2 ! ! !&+8 2K*# 3 -# &8%!.%%I  !#  !! !  ! %   69+   X1)%6, !! +# P#%!!! %' +
  ' /;),(#G& * 1! *F #+! S#+!*%   2 6-4 ;##!  !( ! c)   % 1 -(R #*&,(!! *!!!8 ) ! & ! ! %!!!#! ( &&!!)#&-,  !  I  #' +
  '(  !  % !     # !*!@X#*!#  7   #AS#(  %! !%*,gIR#%!%! !>!ES#*!  !%-,(/5N   !(  !(,(6?>!   !% &%9g]O#+ ! fGCV.*! ' +
  '!* ! :( !!!       #+,f(*!J#%!!% # > (!!K(  %* * (!#Q/ !+/f+)-f7  #   f:E0,(+ H ) (  (,@#C!8  ) ! !f+) ! I(#  ! )' +
  '  *,(( ! C& ! !    ),(O%,(  hQ5!!!)!  / E!&#!   9 f7 17@/s>fIj%.iZfp+fF/uS2 (1,gq>&n)ik]A.##,fg(m])B ,%f3 ,(A!& ' +
  ',S)1,, ) 7&5kS^h(C_&;!;Of-%  Z)%/e!   -!&+it>GEfBfV/s40Viy@% ) ! iF%!+ @#! 0&)k.fp%fN&/#+),! ! %gp?h8G##kW(9 #*D' +
  '!Q!9+fWahY,J!X)!##(**!)A%/(K!7f!# ,#*!! C!c6.6.f9+;g)f7 f) !! !!!% .   ) f  %!* ) ? % &  #) j6  iG!UleZ%U* 0 )1&' +
  ' 1f2@tFe )   ! # 8       #             #0&  YV) 3!) ! &&cD fSP#))!,%!ieA 3O%,& l2?%,h8A!-% geB # ! )!& *!hC) % !' +
  ' 1 h&!+)LEE) %,%!q3f%f.bh!% > !  !  , %    ( %      # !  !          !  !% ) % %   , 3&# & 3W!i0O%fG.1!1 1 H-,&>!' +
  '! =(=##C ?  Z=! /O%+)!0(g=t=!3#/#h=  %.%?%[*,(K*A!.%!0+Jj:*0!/#f)  #4 /#.&g5 f?, u&ffvCCgwB ht0!iuT1nQfrEmA|Ehg-' +
  '&jlM}{(lfeuomehSi{s2';

/**
 * The runs of code points that differ in older versions: gaps from the end of the run before, lengths less 1, and kinds;
 * and what those that are mapped are mapped to.
 */
export const OLDER_VERSIONS: readonly OlderVersion[] = [
  {
    version: 17,
    gaps: 'z;Va{,gq,/f,!(z/0Fgi?xo^&s,sx0fh,,!f|3pI~c(h3un2f&hC1i~3eivM+4mMh#f3uHv=u#)1ZgyRyNi 8o.d300fjkGfxxE',
    lengths: ' !!!!&    ##%  !&)8, ! -iZ&!s4V( ##/!7U @(f9)V  !1#   ! lfe',
    kinds: '((((((+++(((((((((((((((((((((((((((((((((((((((((((((',
    mappings: [],
  },
];

// The code points that are mapped to one, ascending, are mapped below U+4E00, below U+20000 or beyond: which of these,
// that many times and once more. Then, for each of the three, how far that is, as a difference.

export const MAPPED_CLASSES =
  ' ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! !#!# #! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! ! !#! #!# !#!#! ! !#!#!#!#! !#!' +
  '#! !#!#! ! # !#!#! #! ! !#!#!#! ! !#! ! ! !# !#! !#! !#! !#!#!#! !#!#! !#!#!#!#!#! ! ! !#!#!#!# !#! ! #! #!#! !#' +
  '! #! #! !#! ! # #!#!#!#!# ! !#! !#!# !#!# # ! ! !#! ! # !#!#!#!#!#!#! !# !# !# #!#! ! #! !# #! !#';
export const MAPPED_CLASS_COUNTS =
  'mP o/h:##f@40eRH!L ( .*,!! *) !!   !f2jC fC###!m6fR( 5!    & & ,!%gFu*5)!! %!!!2 * = D  EgM# M,# *  %  ! & ! % 1' +
  ' # C (!&!# % % %   & %   %  !# !! &!  5 & # % ! #  !& &  % # %       %#  , # ! !!% %     # !!!  !&        #! %% ' +
  ' ! #   !! ##   !    #   # !    #!     ! !%# * .# #   !! . ! ! !   !!% %!# !!# )      #!!    #   %  #!   #  ( ';

export const MAPPED_LOW =
  'f                          iefRfQ fh1fhAf_h9                             c                                      ' +
  '                 hWhX  m=sbkE k>k=k; k:g@hZ#k6k;&+%kCkH&#kM  kVkUkVkUkVkUkT kS kXkW                   h%f5fV    ' +
  '               i(i)        rq7rq6j*rv9rq0k*m3&g.    w4t_t^1u/#-u8#s&tS/+u]B Dj+hI j[j]ff*fiRg?|O|N  Z! c        ' +
  '                 Sf.-;1(.0R           fQ/#=*g#fQfRi(  kH               fC                               c       ' +
  '                                    @?                                                      fB                  ' +
  '                   f!fA5Png#                                       ngeT     lx.#5& !1Tlw-hx!                    ' +
  '                         jp8i+i,  pRpQ       !rJrK## #Qt@ mrDni!# tJ# tO&#k_k^t+ms# ni2) ni1mrAtWni@mhK  F ffc3&' +
  ' ~Z >+ h3u?tCtFp.p9tQtT#)&  muDmscfEmuRmt0fA%#   &5 kUk_ mqFmqG uIuN  n-mm3                                     ' +
  '                                     fYnp,nr                                                4                   ' +
  '                            mz^!!!Z!!mz1 g%m{,7mzBm{.m{/m{0f.m~Z g[m{20m~9 h2mz?m}Rog2n|Bmz=mzBmzAfiI!!!!!!!!!!o' +
  'j5ok?fC!fTfS     Aoz/oyOO g+fc         Aoz/oyOO fP)53t tG&   #& &# hWtJtQ !!!jbjc!&! %  !!#ff>ffEEhVi*  ! or1or%' +
  '#fw    fw8ffL?!;nvDoxG! ) S5(A6 3,5(A6 3osJigb tv?        f.                         W                         g' +
  '8py7                                               fAroSmuFmu!ro3  rp^df%#rpd sgI9s3 rr                         ' +
  '                            AtlG;tkDok= j3j4j5 j8  j7     i[M  TU         g@                    h( jF )#+)#jak #' +
  'k( ## )##    &)5/+j+ i[  f7 &3 #5&pI# #  ## #    n}>#### ###########&###     &&&&&    ###     #   gfl.#lx>mv*[8+' +
  '7(fHSNf?mu9mvAkWkZ uSE&7jHf9w=Rjp;                                                                              ' +
  ' qt,foXf wx(I& /  7#fyef|d!5!!!&!!!#!!!0!!!+!!!0!!!f7!!!#!!!f(!!!%!!!&!!! !!!-!%!#!0!B!2!R!!!-!!!)!!!(!!!3! !!!+' +
  '! !!!*!!!J! !g2!!!V!%!#!#!0!)!/!!!i2!hD!!!gxEtlLtl4 Y_tlP jh[%ohM!fS gF#tjP . 2 * &   tkQ#(!!fKtlLtl4%+cojHoj= g' +
  'F#tjP tmI&) #@#%_fU Xfz; ! ! ! ! !!! ! !!! ! !!! !!! !!! !!! !!! ! ! ! ! !!! !!! !!! !!! !!! !!! !!! !!!/!!! !!!' +
  ' !!! !!! !!! !!! !!! ! ! !!!f}O                               f                          e                      ' +
  '             rh/ rjUtl_ =lV6gG####fV##f,fTgY#### ###########&###     &&&&&    ###     #)gY og[ j3j4j5 j8  j7    ' +
  ' i[M  TU         g9     %     %     %  jnQ 32%ok)fnRfgI   fl;f7rt? t:rHg0g@ %gA mvVmvW-g7g.((fXpMpLfO]f- fe!bqSp' +
  '_ u0u3# #f1(!ero3ro*F 8kU  k&@ /grxM                         g8         gic                         W           ' +
  '              W                         W                        W                         W                    ' +
  '     W                 W                      W                         W                         W             ' +
  '       W                         W                  W                         W                         W       ' +
  '                  W                         W                         W                         W               ' +
  '          W                         W                         W                         W                       ' +
  '  W                         W                         jPm-pR                67      nu_nvQ                #!    ' +
  '  nuTnv?&#9.%C                67      nu_nvQ                #!      nuTnv?&#9.%C                67      nu_nvQ  ' +
  '              #!      nuTnv?&#9.%C                67      nu_nvQ                #!      nuTnv?&#9.%C            ' +
  '    67      nu_nvQ                #!      nuTnv?&#9.%]!fiC         6         6         6         6         fy0mr' +
  'LmyUhCkJj*gRj;mvNm|(k_g, g7muFmu2mu/iO./mq4-f3 iAH  qF mjR+&)m}0D9lXlKwF        #  #          &# i5i*#iDfYdie   ' +
  '     # & ##     # g-f[%5g9+hz^ )&RQ.5H2   K-1=;G&8 &#-##fJg9WfIg4)V^Z2   K-1=;C8 &/&M*Z2 K-.;C4/&hbg=g4)V^5H2  K' +
  '-1=;C8 &/##fJfFh[ )&R Q.5H2  K-1=;G&8 &#-##S)&RQ.5H2  K-1=;G&8 &#-##gu0@M                         tj&#wvK       ' +
  '  gr{?LXfFqP>hRj#f@TfdRgFclHfVj/If,gzBgwQg9hLfHk>gRm&7!g_kP9f19gBg3g-k9f#hPgZfBf&hBfJgPj1f9)1gddfPjs[jx 3z>g@i&1' +
  'fVhXiPlZb3gV';

export const MAPPED_MIDDLE =
  'fxg)}qMupbffh:f1>3Vf9/JVy+f--PJLfLL7iXg_Z+_3X;TfJFX|Jg1s9P17Fg9s]fBhRPHNfN&p559;hJ1+hL5;1f]DFgBw+f>L|)+gHB;Lf/+m' +
  '7RdfkRg#PfVR3/fJ+dfmPrb9+)1F#gDkR+oH5fF/31gX/l)/fDDf@l;/Do/h_-jNgPf>pVi+v_XfTfHg)7-f g95oV/33B@)g@)-fjL_sL9PmX;g' +
  '/f>vP@@f&f+k/9g&lRbkDL+kZjRh]-+fi-3iZiV&f@h3;)/h#f#->j/fH)jP&HlZfB/g-5&5_q7qB5f-N15)f1)D+;X@1fX@)}s%& gg^i9i*gyF' +
  'gyGf&f(qr/qoWg!Uhs1tWgvQf{Dg|;gk7lf1tp7fpRw9fpRw9w9fpRfpRw9fpRw9w9w9w9iv8frtGi9i*gyFgu2{Tfg8fg1}Afs)km/g~&fmSft=' +
  'ru3wxIiw-w+n%jyLp{Gnw9mn1ki,qn6qr)fq%m{,vsNyjew-mhRrx]|mMy1mk5nnWf&f(jfXhiKjUguZfGmx]qx(xx-wnKfz1ql8            ' +
  '                                                              %&                   fhdfhc       fEfF          fm' +
  'OflBVK fnwQp|MqwNu(nsSooefyH}jP!{q:wfdxl8fj gx>krHg{ZghVpXn_goPqm?}Tfi_}+jjbij;gw/}hCfsHlr@gkPkoFluDywAj|Xk~#fhP' +
  'qm[n|@f~/rjOgu;f~HfxFnrFy{4vDn/jw-f|@gl]frPg{Vf|+gNgoHg}&fm]y7p}AlHfm f}3izXhuXkl6t}Sf}+nnZfl_iq^gf1knRhkLxzefh5' +
  'inDfj/nLiqdm1lvJzsWstTs|CEq{Bfi#f}Hj|)hqOq~GglHorZxp.in>fm7kjLt3o}Wqh)ri^jg5jt^nybgmMls5rjefpXny&ik1gf n{EpqNpk4' +
  'hf8oj/n~.jv+qnSzXgdlkRkr-fx1gv&gj]ygYo;fuDfwTgiThkTg|9nh&fq]fm;fP}nKkp7fqDpq7tuA}ZhByVhn3v-~dfv fm5xXivPhkUhsL~/' +
  'yzKi9uVm}7luVt1sf%n9fh-gtHjlBgy6pvGgsLfs>sHx#kkNjPhsDj9jw>fr#gFkB|j?rq&lv-ft)vjSjz[wJhrJgDg}Vfo3gq9foJivVhudiyDw' +
  'k.tk-zu.kvFhRfv>oXfw;oB}Ffq+mw>{vGjn uw5{q?ih>jnDotdtjerTgiHhuBpibzzat-guNhg>nXoVfm]gl sZhfPg}NFgz7ftNzu*mxXmqan' +
  'qH{1js#jm3fyJw1vt4f}Jko]gkagLpFhhIv2mrbxnUuxNtu^fKh~bfm;mm&ouGjtTgf8q}/gjCiq ig(ruUimKfodyRiqTksUou9fhdxFf#/f5nr' +
  '/mqU|bf~Jfs+fu_k+gr@;f9fp9igQfzT{w6nTh-pZXh;w9h3h#sRh1fiZ5fm-kJf-h)ff]iHj@tJfsFj&m1w9j]tPfo@j;7%1-/fB jFg nbvJLf' +
  'RnDiHt1i9!s_fqTi-p7fRqVfLz>i#gh7mZfZvz0ox#utMfh@g?t4s+fXo/fHz&g4g)g3xRgTiDBm>k-fi5/iBg)n7hNg0i-fAiFg#qBgRfNm)m_j' +
  '&)fXfm&g q/qVEgPlZoBf}TfwIhVhXo/iLfLl##j7DTgN8q9t+m@jXkdiTo5k/ff;i]fh5s1g+Bn3fTf?fN*Gg9gDp_vBnVn/k]fl-h/hHi+f)9f' +
  'B{Pfp5h(g7fikJ                                                                           !                      ' +
  '            fir4h|o7h}uQh}uN!*h|p0h|oRJSgwy:                                                  e                 ' +
  '                                                                    ,                        W               hQ ' +
  ' EI%UIDEh}vSh}u9h~g8gWh~r_                                 jg}0gjMgo:fv%hn>tt3tsYhn.lqZhr hv4ki=ijbipekp&kkKry+g' +
  't*lr5urWfqSmsXh}ejdkyO3zj uh,i~Wfz-iyJrs3rxalo>lTqlImpRgnS%ir7ph%ff)xfPt|8hw4hos!.3m_g>;g/hRbg>UhZ/BHIf-3;{U{d3f' +
  'b>fP7f9+g@#XN7 DfF13T5#!!nkBni0L7-LiRh0BdfVgJVg&Bf !LF1@oJmEmDk0f&fo?gj/n!f-Ti(j/%hXg++@J1fdi1f@9gCi>idfN!i)L@97' +
  '/ff;~Gf]>gFfKjLf5*Dh+ Vf7Lf9g)&&JfHpj phe!f]3f>fH5f#i1DfFi )#(f>Jf)A7f@J)V7g#gJf&hZMg%h9Xh f]ga^jbLbf0kP]hNmLjCg' +
  '/kw%&kz7h,mmDmiS)-f]:j+hOk;fH1hClLf;h g/j_fFg+fF]f;X iBhB>h0j@f1fTfQf1@;gIlXfbgZ,kCpLgNhH[*f>fH0fNiPgNi7;Xf@Ll&D' +
  'TidLLJg+gTTfDibkbf- !f7fdjdf_fdi1fPgZgJ5+iZkN&m/L.]h#h&fXg&nBVh+7gT@fdgDfVqm6qs1&imViiA0Ftm8tm_#5f3(fRg-g5i8iVf5' +
  'hBm,hP#BmD#f&g;l-97#fdf%i-f=iPgGg&XgVdg_&hH/Xr g;i]k7gLNgVgZgFCfJl&h)oVg]d3m]ib g^p]ZpLf7m5wkGwnDjTf1!_jRg-h_XfZ' +
  'mFn>j]h1o@f]+/5/f+';

export const MAPPED_HIGH =
  'ijh&mu00hvDnwDhn/o{&mhh^ft@n(f9fx}@fwp8nJg~ r_g#{Jo9{& fhFfut5fug(!i}&tg#w{Gfm+kdfl>fi/j+v>u sdnp(ns@s gRr;i7fBw' +
  'vIxs]o/wVn7kbflLgXrwMsw Pi9j9%f/V|#u+hHf7zDn7!m#kF} yZbiDh)qTg3i)ug8uw#>uv(3vxJl>nLiQgjDfpei&n fx#w#jR~Zy&frh:kP' +
  'fs}FXn_fr+pVfj5kLt;i7m]fwHfxRfNm3i&fg/';

// Those that are mapped to several, ascending: how many, that many times and once more; the difference of each from the
// one in its place in the mapping before, or from the last one there.

export const MAPPING_LENGTHS =
  '#%#%#%#%#%#%#%#%#&#%#%#%#%&%#%#%&#%#%#%&#%#%#%#%&%&%#%#%&%#%#%#%#&%&%(&%&%#%&#()(%(&%&(&%#%(%&(%#(&(%(#%&%#%&%(&' +
  '#(#&%&#%&#(%#%#%#%#&#%&#%#%#%#%&#%()#&#%#%#%#%#%#%#%#%#%#%&%5+&#%#%#%#%#%';
export const MAPPING_LENGTH_COUNTS =
  '%#> H   e &*+   &  ! !#  # .! !  !   !  !!    -+-=    &@!HL#     #  !  #!!  !     ! #   #%!     !      &   # #  ' +
  '   !#       ,2! #!& *  )%,! # !  %  7 , !!  %!+9#!-!g0(g0#f+f[)    D&!%.>( )+';

export const MAPPED_TO_SEVERAL =
  'f }3 * ( f/Fnl_|I  %& &fPnm^ y^  )g>  wDg4wSmD    3mK    &     6D    g*y; # ) b f, 3|36|2jT jS 1 fv-xXk&lHf# hd ' +
  'h^ {9{3# # - - # 5 + hHi # > i)i / f% # - B lPm # ~9|Pi i f%U 3iRmP7 - - - Y%fFg( &g#; A #B A g%Bf#fR7 - - - Y%i' +
  'zAihQnxdlZ# # # # # # # 0 # # # # # # # V # # # # # # # 0 # # # # # # # fV # # # # # # # 0 # # # # # # # 5 mzc ,' +
  ' m}7 m}, fhEj.   fB fW n~LjFmz^ 4 m}T m}A fhQj.jU  #  g# #g%  #  g# :g%  #n~]jFmzI - m~3 m~= fi4jS J dokHnkd   )' +
  ')   okKokK!|+d{. aabokFojJojJojJoheohcEg*C  DgBfLg=fK;  /g>fRg%5-%#2! 3?:9fMoj)g!  &  24  &#  ! &#  #  #  ( #+  ' +
  '* &&  &  &  . fToiY    >>=       =BBA   A     >>=       =BBA   g2oiZfOozZt1   ))   oz^oza # # # # # # # # ##46#0' +
  ' #  #  #  #  #  #  #  #  21   #   #   #   #   #   #   #   #   #  #4  fB0 #  #  #  #  #  #  #  #  #  #  #  #  #  ' +
  '#  #  #  #  #  #  #  #  #  #  #  # o{)oxFo{&o{&ozEozEoz?))   ru |Zru^sr# #tq3Cf9fbtr8oi2trc &  #  &  #  #  &  & ' +
  ' #  &  #  #  #  #  f}s@  fpT  w;  fpT  w;  w;  fpT  fpT  w;  fpT  w;  w;  w;  w;  h|[  {Sgr|Z   iw   frp*gwuY i;' +
  '  i(  gyH  gu0  {V  fg6  fg3  }?  fs+  km1  g~)  fmQ  ft:  ru5  wxG  iw/  w-  n!  jyN  p{E  nw;  mn3  ki*  qn4  ' +
  'fjE  fxV  gj7  mx_  qx%  xx/  wnI  qiV  rr[  ukV  5 g3fuocf]fag( # # # # # # # ##4 # # # # #gtl-gjk9~[mpTgsk4grw' +
  '% # # ##4 # # # # # # # # ##4*fl{T# # # # # # # # 2fl{S  #  # fRfN(9  +1%G~gTff{Tnv%poYpnCpp* Xf0f0 3-# 5F&fE3fY' +
  ' f3fG&g6fH&Dg*5f6 g)* &4@ 5f1#gS7 g-f0f% +f1fL# 5 /M&g0 dgD!XG #/f6 !&  f^*=  fFJS9  @fU )*A   SJ!&f*f*. &g f5&B' +
  'g(&EF FJ&gSf?@ gBHF8&4fHg:+5fG  1-5A1g,&fL!3&f,+8.#c*&gT4fB+  5! f3f1+gWfIf(  >fH +!fT&g6%f2f% &J-#f g,f!f)!f/f]' +
  ')fWfK52&@ @N%f ?&38 5!! 1+gSfL5!g1f8!3& f6%5f&  3)gSg*.  f] d[ f3e 33fTg+#g*fP; fZ  WH#&fa  ]g1 gD 2) #  f&&gW3+' +
  'f#f82 f/#MJ f3f.E#[ JSf?J)fC tscypP# # # # # # # # # 2fo~4  #  #  #  #  #  #  #  #  # #4  #  #  #  # fPf]fo|S*A(' +
  'L#K(>N#I:7  fY  #-3fjg7fkjZgpXim*ii.llRih1oTu]in:nq!h~)fmiWfjl?% ff@ ffA %  #& . *!73&8 -)% ff@  #ffA % (J)G &  ' +
  '.  >  ff3+ffA 4 1 ,#3 ff@ ffA 6 3 & fY6  7fY%fZ & #6  7fW%fX &ox3g    g!)oxK,B &  .  9A)   oxFB     g!%H% ff@ ff' +
  'A ))% ff@ ffA % & )#% ff@ ffA % & %ffH& 8ffS#? # oxF1)#oxI)R#S B#%&( & 1#0 # #0 5#O 17 / )0 3- &)  ++K!oxJ9M  fC' +
  'zvD# # # # # # # # 2flrM  #  #  #  #  #  #  #  #  # #4  #  #  #  #  #  #  #  #  # #4  # fLfDflpU!- ) ) .(  )>@  ' +
  'ft#ft& E /7964h-g1V)47 # .!  #U, # +# # # # # # & # # # # & & # & # & # # # # M(*/7 5 K_lRiTj!g=   j@   i=   hd ' +
  '  !   &   3     i0     ^ # T + #&a # # R + #&a # # R + ##a V + ##^ T#U V#U # T-U # # R&S T#U # # R#S T# #U V#U V' +
  '1U # # R + ##^ T + ##f( - # # P # + ##a # # R + ##a # # R + ##a # # R + ##a V + #)a # # R + #Wf/# T f}4f*c #  # ' +
  ' #  #  #df|/e # J # ) #&U # J # ) #&U # J # ) ##U # J # ) #P! ##! ##f( _ # + ##, + ##f( b#K # J # ) #)f/#fc # J ' +
  '# ) #f*a # # R &&Y # # R &&Y # # R &#%#S T#U V#U V-U # # R&S # R#U # # R#S#T#U V#U V1U # # R#S T#U # # P ##U # #' +
  ' R &#Y # # R#U # # R &#Y V f9)g* # # R &f*% &&% &&% &#% &3% &#% &B( ## &  &+% &617 #  # 40 #&! ##! #0! ##! #0! #' +
  '!! #&! #1! ##! #%a # # R K! & # #T #&! ##! #0! ##! #0! #!! #&! #1! ##! #%a # # R K! & # %, # # R!&# )%*U # ##% #' +
  ' #)R# E/  )c. #U     V #  RU  #  #& !   # _  !/S^ !#  ] V[     !  V   &SS    TT!S     !- V[     R   &S+ #*   #RS' +
  '     T  -&U, V      +# *  -  !1Q*   #RS  T&S   -  ! !^    &V    RS   #S!  V  - !^  T &U  V %Q&V%  V!S   + !*    ' +
  ' + V#  !+ *   f%Q-&%   ! &#  ! R#  !& # S! T 1Q &!#!  &  @!  V /S  !  V ,  (  +S *T^&ST8T-7  )U^!&_!%,!V #U & SW' +
  '#_#! T  *V US ZT,6U *V %Q-J% ETi3>  Y i?i8 ![ObO_%CR:P*EB!3F&)BE.%IF-   f}4f%,,%f}4C,#%f}4!O,*4 f}4f|;_^  -i3f|1' +
  'Tf|Efj0       ff/f}  f|e# # #f}  f|e#f}  f|e#f}  f|e#f}  f|e#f}  +fC   #   &   &  f}*~(toJsr+hNg- Vf f+jmkBjmkZ#' +
  '   5  #  #  #  #h# # ! 5#  ! ##  j|{0j|xG  g(g0# # # # # # # # # EfN( #  #  #  #  #  #  #  #  #  #  #  #  #  #  ' +
  '#  #  #  #  #  #  #  #  #  #  # tm;0tm;tkEALPA*- /G B(()1=6  # @42tnRtm#fTh3icvoVia mf(  i)  ih_  kxD  it.  ks+ ' +
  ' pqW  j{X ';

// The marks, ascending: the rank of the Canonical_Combining_Class, or 0, that many times and once more.

export const MARK_CLASSES =
  'WXRXPRNRNR!RWRWRWRWXRWYZYZYW RWRWSRWRWRWSVW)*+,-./012345678WR1)4W>?@:;=>?@ABWRWRWRCWRWRWRDWRWRWRWRWRWRWRWRWRW WR' +
  'WRWRWRWRWRWRWRWR:;=WRWRW % ( WRW % ( W % ( % ( % ( ( % (EF % ( ( ( ( G( H I( J RP KLML LW(W R % ( R W ( ( ( W V ' +
  'SWRWR ( WRWRWR RWRWRWRWRWZWRW % (WRW ( % ( %W!RWRW !RW WRWRWZORNWXVRQWYRWRW!W!W W !WRW!RW(WQVXST&W W ( ( ( W R (' +
  ' % ( WRW ( (9WRWRW R W!R(WRWRWRWRWRWR RWRWRWRWR ( ( (% W ( % ( % (% %( % ( W ( ( %W (% (% ( (% ( (% ( % ( ( ( ( ' +
  '( % ( ( ( (!W # ! RP!UPRWRWP!P WXRWRWRW%';
export const MARK_CLASS_COUNTS =
  '7 %  &!%!-&%&##!#%  !  ! ! 4! % #  ((! !            !           *           !!& !  - # !    ! !# !  #       !-) ' +
  '  7#!#+&0 ! ! ##   # !!&( 1 !  !* - # # + ) / - - 5 ( /   & / +!/ ( 8!  %*! !%#% !   %! ! !L .  !G &#!!! C   ! 7' +
  '     / 6* &(!  !!!& 4 * % !! & 1   ).!! -!5 # &!%  )   % ) !    H !       !!%#!% #!   !%% C    !! #0  ( 4  4(#. ' +
  '% . 7# &( +  ))!!&(  !     .!!#    #! &#  %    3!! .   #.!! 2   /  /  %!- #.3#2 #  4  0  3 .  0 /  ,!! / . + = 9' +
  ' S  !. 4!E &)b!  f&!!# &*&!)#!#fdV! ! &)( ';

// What the composites, ascending, are made of: gaps, the differences of the distances from the first code point to the
// composite, and the differences of the second code points.

export const COMPOSITE_GAPS =
  'hD!!!!!#!!!!!!!!#!!!!!%!!!!#########&#########&###)#%##)##(##&########&#######%##G2B#######%##&####!(&##########' +
  '#######&+######jA@!!!!>!!!!fO:!#&(!!=f.2#&&##&##&#####&iM!!!!g>#4n9+%g:!jb%!f+Z!!fbf]*!#!fe!!g1#!!n+fwD####&M#%!' +
  '#od##########################################################################!!!!+##############################' +
  '##############*!!!!!!!,!!!!!.!!!!!!!,!!!!!!!,!!!!!.!!!!!!!,!!!!!!!,######X!(3-!!&!,!!#!!!2kH!6C!!Y(%;#?%%#:#.!!!' +
  '!%!%!*!%!%!G!!!U!!!*!!!ghC###########%##*!#!#!#!#!:-1###########%##*!#!#!#!#!:%!!!&fnf.?fvZ#2g%!m@![#,%X#!hW!#hb' +
  '!rcpqM!!!!!!!f} !!';

export const COMPOSITE_DISTANCES =
  'hd##### !###(###( ####(###(&X&& &&&#)&&&& &&&#)&&&-#&&&+&&+&&#&&#&&&#&)&&&&&  &&&f@5fH.**i,&&&Zo!o)i)%%pWj,v53(h' +
  'M#CiV&%&%&*&!&!&+#DB%iA)i3rarTtKfN(!!Ef;81,(*X#+cf#)6Ui7N&!iej-#)&*j0ib;&&% jI#ef&f%BP    )#*)#(& &*! #&() &,&%+' +
  '*        # !npd#&&i(i-&&&&j=&jD&s%s-##&&&&#i*i/&&#nr4nr>&#&&#&&&i,&gO&kd& &ns0ns9#&l.*nkensF&&&#&&lG lR&#&&&&#&#' +
  '#&&J8%!f &hc&&&nq^nq &&&np[nub&&i(&&&nr=nvH&*&i(&&&nrQnm@&&&&n@&nU&&&&nV&&&~E#mw? & & mwN#mwW & mx-#mx2 & & mxF#' +
  'mxO & & mxZ#mxe & my1#my6 & & myF#myO & & mzV%  **%g;#-73#CNC@#,;#(,Fm~(!F^()+    +*#!o|&o|%do{H!o|, 6   + *   3' +
  ', !h  I U   fQ               #!#!#!#!#g;g=                #!#!#!#!#g;g.   06J4 -4 1#* &%&&#*#&( # ##6;% &.-,';

export const COMPOSITE_SECONDS =
  '} ###-&_f0##/2##/,(###-2##/01*&f&f0#-- 2&#f#[6+#f f,##&f&f.f-f.f/Y8f/Y2&-6f/Y8#f-YZY4#&+#_f. !/-B A   2(9:+  3 ]' +
  'f*3 8!#  @&%&%&%&%&%&N W,f f( )( (     1 0  -.3010!/54 &%&  *+   *+)( ff9# #!   |3  i&VpdSVi U Vhdhd #KJh5 VhJ-,' +
  'NwBhr1          lvCa]@fC/]@6/f=#f;)f6#()]Yd1&fA f&@?cf>*f:/][]@*f:12# / ]cf>f6][   ]@*4;(f:1,f f(#1!][#!,f#@ f4&' +
  ' VW2!5.!!!5.)_W.%!5.!1X W2!5.!!!5.f  W2!5.f f(f)W.D#K # g# fA#K # H#K # g# fA#K # g# fA#K # H#K # g# fA#K # g# g' +
  '%      /%fb f[%*g& f[%*J#f@  6                                           sr#               #!#!#!#!#!           ' +
  '      #!#!#!#!#!     ssG hplJ  h> uRVhH?1106FlF6>lH fh#{~@96 #! #h|1  ';
