package com.example.anabranch;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.algorithm.mask.MaskerProvider;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code type: INITIALS}: of {@code Ada Lovelace} users see {@code A. L.}. */
public final class InitialsMasker implements MaskerProvider {

  @Override
  public String type() {
    return "INITIALS";
  }

  @Override
  public Masker create(Map<String, String> properties) {
    var given = new AlgorithmProperties(properties);
    String behind = given.text("behind", ".");
    given.check();
    return value ->
        Stream.of(value.split("\\s+"))
            .filter(word -> !word.isEmpty())
            .map(word -> Character.toString(word.codePointAt(0)) + behind)
            .collect(Collectors.joining(" "));
  }
}
