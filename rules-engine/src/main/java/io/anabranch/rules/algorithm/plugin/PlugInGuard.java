package io.anabranch.rules.algorithm.plugin;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks code of a plug-in. Whatever it throws, and where it gives nothing, ends the statement that
 * asks, with AB2092; what ends the process (no memory left) goes through. Of what was thrown the
 * class and the place are told, never the message: it may have a value in it.
 *
 * @param kind what it is, for messages: {@code sharding algorithm}
 * @param type which, as configurations name it
 */
public record PlugInGuard(String kind, String type) {

  /**
   * A plug-in's answer to a statement.
   *
   * @throws RefusedException AB2092, or the plug-in's own
   */
  public <T> T asked(Supplier<@Nullable T> question) {
    @Nullable T answer;
    try {
      answer = question.get();
    } catch (Throwable failure) {
      throw failed(failure);
    }
    if (answer == null) {
      throw refused("it gave nothing");
    }
    return answer;
  }

  /**
   * What a provider makes of its {@code props}.
   *
   * @throws IllegalArgumentException whose message tells what is wrong: a problem of the
   *     configuration
   */
  public <T> T made(Supplier<@Nullable T> maker) {
    @Nullable T made;
    try {
      made = maker.get();
    } catch (IllegalArgumentException problem) {
      throw problem;
    } catch (Throwable failure) {
      throw new IllegalArgumentException(failed(failure).getMessage(), failure);
    }
    if (made == null) {
      throw new IllegalArgumentException(refused("it made nothing").getMessage());
    }
    return made;
  }

  /**
   * What the statement ends with.
   *
   * @throws VirtualMachineError that it is, unless the stack is full, which it is no more
   */
  public RefusedException failed(Throwable failure) {
    if (failure instanceof RefusedException own) {
      return own;
    }
    if (failure instanceof VirtualMachineError fatal && !(fatal instanceof StackOverflowError)) {
      throw fatal;
    }
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return refused(told(failure));
  }

  /**
   * What the statement ends with.
   *
   * @param what the plug-in did
   */
  public RefusedException refused(String what) {
    return ErrorCatalogue.PLUG_IN_FAILED.refuse(kind, type, what);
  }

  private static String told(Throwable failure) {
    StackTraceElement[] stack = failure.getStackTrace();
    String thrown = failure.getClass().getName();
    return stack.length == 0 ? thrown : thrown + " at " + stack[0];
  }
}
