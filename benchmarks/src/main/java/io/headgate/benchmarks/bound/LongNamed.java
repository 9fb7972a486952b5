package io.headgate.benchmarks.bound;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Makes failures whose class has a longer name than is ever kept, of characters that take most of
 * the heap, so that every kept error has a text of its own for it.
 */
final class LongNamed {

  private static final String LETTER = "\uD835\uDD38";
  private static final int LETTERS = 300;

  private final MethodHandle maker;

  /** A class below {@code parent}, which must have a public constructor of one message. */
  LongNamed(Class<? extends RuntimeException> parent) throws ReflectiveOperationException {
    ClassDesc superclass = ClassDesc.ofDescriptor(parent.descriptorString());
    MethodTypeDesc constructor = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);
    String name =
        getClass().getPackageName() + "." + LETTER.repeat(LETTERS) + parent.getSimpleName();
    byte[] bytes =
        ClassFile.of()
            .build(
                ClassDesc.of(name),
                type ->
                    type.withSuperclass(superclass)
                        .withFlags(ClassFile.ACC_PUBLIC)
                        .withMethodBody(
                            ConstantDescs.INIT_NAME,
                            constructor,
                            ClassFile.ACC_PUBLIC,
                            code ->
                                code.aload(0)
                                    .aload(1)
                                    .invokespecial(superclass, ConstantDescs.INIT_NAME, constructor)
                                    .return_()));
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    maker =
        lookup
            .findConstructor(
                lookup.defineClass(bytes), MethodType.methodType(void.class, String.class))
            .asType(MethodType.methodType(RuntimeException.class, String.class));
  }

  RuntimeException with(String message) {
    try {
      return (RuntimeException) maker.invokeExact(message);
    } catch (Throwable t) {
      throw new IllegalStateException(t);
    }
  }
}
