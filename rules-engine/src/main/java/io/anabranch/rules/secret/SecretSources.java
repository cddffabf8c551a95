package io.anabranch.rules.secret;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where values are that configurations refer to. Immutable. */
public final class SecretSources {

  private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9-]*");

  private final Function<String, @Nullable String> environment;
  private final Map<String, SecretSource> others;

  /**
   * @param environment the value of a variable; null if it is not set
   * @param others of {@code ext-lib/}; may be empty
   * @throws IllegalArgumentException if two have the same scheme, or a built-in's, or one is none
   */
  public SecretSources(
      Function<String, @Nullable String> environment, Collection<? extends SecretSource> others) {
    this.environment = environment;
    var byScheme = new TreeMap<String, SecretSource>();
    for (SecretSource source : others) {
      String scheme = source.scheme();
      if (!SCHEME.matcher(scheme).matches()) {
        throw new IllegalArgumentException(
            "the scheme " + scheme + " of a secret source is not of letters, digits and dashes");
      }
      boolean isBuiltIn = scheme.equals(Secrets.ENVIRONMENT) || scheme.equals(Secrets.FILE);
      if (isBuiltIn || byScheme.put(scheme, source) != null) {
        throw new IllegalArgumentException("two secret sources have the scheme " + scheme);
      }
    }
    this.others = Map.copyOf(byScheme);
  }

  /**
   * @param folder where relative paths of files begin
   */
  public Secrets from(Path folder) {
    return new Secrets(folder, environment, others);
  }
}
