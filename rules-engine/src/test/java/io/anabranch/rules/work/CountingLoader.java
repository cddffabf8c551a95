package io.anabranch.rules.work;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashSet;
import java.util.Set;

/**
 * Loads the rules engine and its parser so that every call of a method and every turn of a loop is
 * counted in {@link CountedSteps}. A count is the same on every machine, where a time is not.
 */
final class CountingLoader extends ClassLoader {

  private static final ClassDesc COUNTER = ClassDesc.of(CountedSteps.class.getName());
  private static final MethodTypeDesc OF_METHOD =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
  private static final MethodTypeDesc OF_COLLECTION =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_int);
  private static final Set<String> SEARCHES =
      Set.of("contains", "indexOf", "lastIndexOf", "remove");

  private final ClassFile classFile;

  CountingLoader(ClassLoader parent) {
    super(parent);
    classFile =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(parent)));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean own =
        name.startsWith("com.alibaba.druid.")
            || (name.startsWith("io.anabranch.rules.")
                && !name.equals(CountedSteps.class.getName()));
    if (!own) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = getParent().getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      boolean counted = !name.contains("Fixture") && !name.contains("FakeCatalog");
      byte[] code = counted ? counted(bytes) : bytes;
      return defineClass(name, code, 0, code.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] counted(byte[] bytes) {
    ClassModel model = classFile.parse(bytes);
    String owner = model.thisClass().asInternalName();
    String bare = owner.substring(owner.lastIndexOf('/') + 1);
    return classFile.transformClass(
        model,
        (out, element) -> {
          if (element instanceof MethodModel method && method.code().isPresent()) {
            int number = CountedSteps.number(bare + "." + method.methodName().stringValue());
            out.transformMethod(
                method,
                MethodTransform.transformingCode(
                    CodeTransform.ofStateful(() -> new Counting(number))));
          } else {
            out.with(element);
          }
        });
  }

  /** One method: its beginning, its jumps backwards, and the searches that the JDK makes for it. */
  private static final class Counting implements CodeTransform {

    private final Set<Label> behind = new HashSet<>();
    private final int method;

    Counting(int method) {
      this.method = method;
    }

    @Override
    public void atStart(CodeBuilder out) {
      step(out);
    }

    private void step(CodeBuilder out) {
      out.loadConstant(method).invokestatic(COUNTER, "step", OF_METHOD);
    }

    @Override
    public void accept(CodeBuilder out, CodeElement element) {
      switch (element) {
        case LabelTarget target -> behind.add(target.label());
        case BranchInstruction branch when behind.contains(branch.target()) -> step(out);
        case InvokeInstruction call when searches(call) -> {
          out.dup2().pop().loadConstant(method).invokestatic(COUNTER, "search", OF_COLLECTION);
        }
        case InvokeInstruction call when copies(call) -> {
          out.dup().loadConstant(method).invokestatic(COUNTER, "copy", OF_COLLECTION);
        }
        default -> {}
      }
      out.with(element);
    }

    private static boolean searches(InvokeInstruction call) {
      boolean one =
          call.typeSymbol().parameterCount() == 1
              && call.typeSymbol().parameterType(0).equals(ConstantDescs.CD_Object);
      return one
          && call.owner().asInternalName().startsWith("java/util/")
          && SEARCHES.contains(call.name().stringValue());
    }

    private static boolean copies(InvokeInstruction call) {
      String name = call.name().stringValue();
      return (name.equals("copyOf") || name.equals("addAll"))
          && call.typeSymbol().parameterCount() == 1
          && call.owner().asInternalName().startsWith("java/util/");
    }
  }
}
