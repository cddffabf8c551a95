package io.anabranch.rules.algorithm.encrypt;

import io.anabranch.rules.algorithm.plugin.PlugInGuard;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An encryptor of a plug-in; what it tells of itself is asked once. */
final class GuardedEncryptor implements Encryptor {

  private final PlugInGuard guard;
  private final Encryptor plugIn;
  private final boolean isDeterministic;
  private final boolean isForPatterns;
  private final boolean hasWayBack;

  /** Asks it: throws whatever the plug-in does. */
  GuardedEncryptor(PlugInGuard guard, Encryptor plugIn) {
    this.guard = guard;
    this.plugIn = plugIn;
    isDeterministic = plugIn.isDeterministic();
    isForPatterns = plugIn.isForPatterns();
    hasWayBack = plugIn.decryptor() != null;
  }

  @Override
  public String encrypt(String plain) {
    return guarded(() -> plugIn.encrypt(plain));
  }

  @Override
  public boolean isDeterministic() {
    return isDeterministic;
  }

  @Override
  public boolean isForPatterns() {
    return isForPatterns;
  }

  @Override
  public @Nullable Decryptor decryptor() {
    if (!hasWayBack) {
      return null;
    }
    Decryptor own = guard.asked(plugIn::decryptor);
    return stored -> guarded(() -> own.decrypt(stored));
  }

  /** A value that it does not take is told as that of built-in types is. */
  private String guarded(Supplier<@Nullable String> question) {
    @Nullable String answer;
    try {
      answer = question.get();
    } catch (IllegalArgumentException notTaken) {
      throw notTaken;
    } catch (Throwable failure) {
      throw guard.failed(failure);
    }
    if (answer == null) {
      throw guard.refused("it gave nothing");
    }
    return answer;
  }
}
