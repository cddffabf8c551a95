package io.anabranch.rules.secret;

import java.util.regex.Pattern;

/** Which keys of the configuration have values that nobody is shown. */
public final class SecretNames {

  /** What is shown in the place of such a value. */
  public static final String HIDDEN = "(secret)";

  private static final Pattern SECRET =
      Pattern.compile(
          "(?i).*(password|passwd|passphrase|secret|token|key-value|salt|credential|authorization|private.?key).*"
              + "|(.*[-_.])?(key|pwd|pass)"
              // a word of a name in camel case: aesKey, but not monkey
              + "|(?-i:.*[a-z0-9](Key|Pwd|Pass))");

  private SecretNames() {}

  /** Whether the value of such a key is a secret. */
  public static boolean isSecret(String key) {
    return SECRET.matcher(key).matches();
  }
}
