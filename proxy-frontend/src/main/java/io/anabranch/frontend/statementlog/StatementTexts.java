package io.anabranch.frontend.statementlog;

import io.anabranch.rules.digest.DigestText;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The texts of normal forms that were met lately: most statements are others' with other literals.
 * Used by one thread.
 */
final class StatementTexts {

  private static final int MOST = 512;

  private final Map<Form, String> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Form, String> eldest) {
          return size() > MOST;
        }
      };

  /** What makes a text; equal by its bytes. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Form(byte[] bytes, Charset charset, boolean ansiQuotes) {

    @Override
    public boolean equals(Object other) {
      return other instanceof Form same
          && Arrays.equals(bytes, same.bytes)
          && charset.equals(same.charset)
          && ansiQuotes == same.ansiQuotes;
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  String of(byte[] normalForm, Charset charset, boolean ansiQuotes) {
    return known.computeIfAbsent(
        new Form(normalForm, charset, ansiQuotes),
        form -> DigestText.sample(form.bytes(), form.charset(), form.ansiQuotes()));
  }
}
