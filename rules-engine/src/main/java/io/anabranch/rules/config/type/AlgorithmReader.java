package io.anabranch.rules.config.type;

import io.anabranch.rules.account.AccountStores;
import io.anabranch.rules.algorithm.InvalidPropertiesException;
import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.algorithm.PlacementAlgorithm;
import io.anabranch.rules.algorithm.audit.Auditor;
import io.anabranch.rules.algorithm.balance.LoadBalancer;
import io.anabranch.rules.algorithm.encrypt.EncryptorCatalogue;
import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.config.yaml.Place;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.discovery.PrimaryDiscovery;
import io.anabranch.rules.listener.ListenerDefinition;
import io.anabranch.rules.model.shadow.ShadowAlgorithm;
import io.anabranch.rules.secret.Secrets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code {type: T, props: {...}}}. What is wrong is reported, and gives null.
 *
 * <p>Of all but sharding algorithms and key generators, secrets are put in their places: in those,
 * {@code ${...}} is an expression.
 */
public final class AlgorithmReader {

  private final AlgorithmTypes types;
  private final Secrets secrets;

  public AlgorithmReader(AlgorithmTypes types, Secrets secrets) {
    this.types = types;
    this.secrets = secrets;
  }

  public @Nullable PlacementAlgorithm sharding(Section section) {
    return read(
        section, types.algorithms().shardingTypes(), types.algorithms()::sharding, Value::text);
  }

  public @Nullable KeyGenerator keyGenerator(Section section) {
    String place = section.place().file() + ":" + section.place().keyPath();
    return read(
        section,
        types.algorithms().keyGeneratorTypes(),
        (type, properties) -> types.algorithms().keyGenerator(place, type, properties),
        Value::text);
  }

  /**
   * The generator where none is named: SNOWFLAKE by default.
   *
   * @param place of what is generated, for the keys' owner
   */
  public KeyGenerator snowflake(String place) {
    return types.algorithms().keyGenerator(place, "SNOWFLAKE", Map.of());
  }

  public @Nullable Auditor auditor(Section section) {
    return read(section, types.auditors().types(), types.auditors()::auditor);
  }

  /** Types of {@link #balancer}, in upper snake case. */
  public Set<String> balancers() {
    return types.balancers().types();
  }

  /** One of a plug-in. */
  public @Nullable LoadBalancer balancer(Section section) {
    return read(section, balancers(), types.balancers()::balancer);
  }

  /** Types of {@link #discovery}, in upper snake case. */
  public Set<String> discoveries() {
    return types.discoveries().types();
  }

  /** One of a plug-in. */
  public @Nullable PrimaryDiscovery discovery(Section section) {
    return read(section, discoveries(), types.discoveries()::discovery);
  }

  public @Nullable Masker masker(Section section) {
    return read(section, types.maskers().types(), types.maskers()::masker);
  }

  public @Nullable ShadowAlgorithm shadow(Section section) {
    return read(section, types.shadows().types(), types.shadows()::of);
  }

  /**
   * @param name as configured
   */
  public @Nullable ListenerDefinition listener(String name, Section section) {
    return read(
        section,
        types.listeners().types(),
        (type, properties) ->
            new ListenerDefinition(
                name, type, properties, types.listeners().listener(type, properties)));
  }

  /** Who makes account stores, for {@link #read}. */
  public AccountStores stores() {
    return types.stores();
  }

  /** Who makes encryptors, for {@link #read}. */
  public EncryptorCatalogue encryptors() {
    return types.encryptors();
  }

  /**
   * Reads one of any kind.
   *
   * @param known its types, in upper snake case
   * @param maker not asked if the type is not known, or a secret not at hand
   */
  public <T> @Nullable T read(Section section, Set<String> known, Maker<T> maker) {
    return read(section, known, maker, value -> value.givenSecret(secrets));
  }

  private static <T> @Nullable T read(
      Section section,
      Set<String> known,
      Maker<T> maker,
      Function<Value, @Nullable String> reading) {
    String type = section.required("type");
    Section props = section.section("props");
    Map<String, String> properties = properties(props, reading);
    section.close();
    if (type.isEmpty()) {
      return null;
    }
    String upper = type.toUpperCase(Locale.ROOT);
    if (!known.contains(upper)) {
      reportType(section, type, known);
      return null;
    }
    if (properties == null) {
      return null;
    }
    try {
      return maker.make(upper, properties);
    } catch (InvalidPropertiesException e) {
      for (InvalidPropertiesException.Violation violation : e.violations()) {
        report(section, props, violation);
      }
    } catch (IllegalArgumentException e) {
      section.error(String.valueOf(e.getMessage()), null);
    }
    return null;
  }

  /** An empty value is the empty text. */
  private static @Nullable Map<String, String> properties(
      @Nullable Section props, Function<Value, @Nullable String> reading) {
    var properties = new LinkedHashMap<String, String>();
    if (props == null) {
      return properties;
    }
    boolean isComplete = true;
    for (Map.Entry<String, Value> entry : props.entries().entrySet()) {
      String text = reading.apply(entry.getValue());
      isComplete &= text != null || entry.getValue().isNull();
      properties.put(entry.getKey(), text == null ? "" : text);
    }
    return isComplete ? properties : null;
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

  /**
   * Makes one of its type and props.
   *
   * @param <T> what
   */
  public interface Maker<T> {

    /**
     * @param type in upper snake case
     * @throws InvalidPropertiesException with all that is wrong
     * @throws IllegalArgumentException whose message names the property and the cure
     */
    T make(String type, Map<String, String> properties);
  }
}
