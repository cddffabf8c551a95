package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.InvalidPropertiesException;
import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.algorithm.PlacementAlgorithm;
import io.anabranch.rules.algorithm.audit.Auditor;
import io.anabranch.rules.algorithm.audit.AuditorCatalogue;
import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.algorithm.mask.MaskerCatalogue;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.Place;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.shadow.ShadowAlgorithm;
import io.anabranch.rules.model.shadow.ShadowAlgorithms;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** {@code name: {type: T, props: {...}}}. */
final class AlgorithmReader {

  private final AlgorithmCatalogue catalogue;

  AlgorithmReader(AlgorithmCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  @Nullable PlacementAlgorithm sharding(Section section) {
    return read(section, catalogue.shardingTypes(), catalogue::sharding);
  }

  @Nullable KeyGenerator keyGenerator(Section section) {
    String place = section.place().file() + ":" + section.place().keyPath();
    return read(
        section,
        catalogue.keyGeneratorTypes(),
        (type, properties) -> catalogue.keyGenerator(place, type, properties));
  }

  static @Nullable Auditor auditor(Section section, AuditorCatalogue known) {
    return read(section, known.types(), known::auditor);
  }

  static @Nullable Masker masker(Section section, MaskerCatalogue known) {
    return read(section, known.types(), known::masker);
  }

  static @Nullable ShadowAlgorithm shadow(Section section, ShadowAlgorithms known) {
    return read(section, known.types(), known::of);
  }

  private static <T> @Nullable T read(
      Section section, Set<String> types, BiFunction<String, Map<String, String>, T> maker) {
    String type = section.required("type");
    Map<String, String> properties = section.properties("props");
    Section props = section.section("props");
    section.close();
    if (type.isEmpty()) {
      return null;
    }
    String upper = type.toUpperCase(Locale.ROOT);
    if (!types.contains(upper)) {
      reportType(section, type, types);
      return null;
    }
    try {
      return maker.apply(upper, properties);
    } catch (InvalidPropertiesException e) {
      for (InvalidPropertiesException.Violation violation : e.violations()) {
        report(section, props, violation);
      }
    } catch (IllegalArgumentException e) {
      section.error(String.valueOf(e.getMessage()), null);
    }
    return null;
  }

  private static void reportType(Section section, String type, Set<String> types) {
    Value value = section.value("type");
    if (value != null) {
      value.error("unknown type " + type, NearestName.suggestion(type, types));
    }
  }

  private static void report(
      Section section, @Nullable Section props, InvalidPropertiesException.Violation violation) {
    Place place =
        props == null
            ? section.place().under("props").under(violation.property())
            : props.keyPlace(violation.property());
    section.problems().error(place, violation.reason(), violation.suggestion());
  }
}
