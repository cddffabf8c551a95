package io.anabranch.rules.algorithm.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.AlgorithmProvider;
import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.ComplexShardingAlgorithm;
import io.anabranch.rules.algorithm.HintShardingAlgorithm;
import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.algorithm.KeyGeneratorProvider;
import io.anabranch.rules.algorithm.PlacementAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.encrypt.Encryptor;
import io.anabranch.rules.algorithm.encrypt.EncryptorCatalogue;
import io.anabranch.rules.algorithm.encrypt.EncryptorProvider;
import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.algorithm.mask.MaskerCatalogue;
import io.anabranch.rules.algorithm.mask.MaskerProvider;
import io.anabranch.rules.algorithm.shadow.ShadowMatcher;
import io.anabranch.rules.algorithm.shadow.ShadowMatcherProvider;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.shadow.ShadowAlgorithm;
import io.anabranch.rules.model.shadow.ShadowAlgorithms;
import io.anabranch.rules.value.SqlValue;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All extension points whose plug-ins are asked by statements, and all that plug-ins may do. */
class PlugInGuardTest {

  private static final TargetSet TARGETS = new TargetSet(List.of("t_0", "t_1"));
  private static final ShardingAlgorithm.Range ALL =
      new ShardingAlgorithm.Range(null, false, null, false);
  private static final String SECRET = "tell nobody";

  /** What a plug-in's method does instead of an answer; null: it gives nothing. */
  record Conduct(String name, @Nullable Throwable thrown, @Nullable Object given) {

    Conduct(Throwable thrown) {
      this(thrown.getClass().getSimpleName(), thrown, null);
    }

    @Override
    public String toString() {
      return name;
    }

    /** All methods do it that give what may be done so. */
    <T> T like(Class<T> point, Map<String, Object> sound) {
      Object made =
          Proxy.newProxyInstance(
              point.getClassLoader(),
              new Class<?>[] {point},
              (_, method, _) -> {
                Object otherwise = sound.get(method.getName());
                if (otherwise != null) {
                  return otherwise;
                }
                if (thrown != null) {
                  throw thrown;
                }
                return given;
              });
      return point.cast(made);
    }
  }

  static List<Conduct> failures() {
    return List.of(
        new Conduct(new IllegalStateException(SECRET)),
        new Conduct(new NumberFormatException(SECRET)),
        new Conduct(new NoClassDefFoundError(SECRET)),
        new Conduct(new StackOverflowError(SECRET)),
        new Conduct(new AssertionError(SECRET)),
        new Conduct(new ExceptionInInitializerError(SECRET)));
  }

  private static PlacementAlgorithm placed(PlacementAlgorithm plugIn) {
    var provider =
        new AlgorithmProvider() {
          @Override
          public String type() {
            return "hostile";
          }

          @Override
          public PlacementAlgorithm create(Map<String, String> properties) {
            return plugIn;
          }
        };
    return new AlgorithmCatalogue(List.of(provider)).sharding("HOSTILE", Map.of());
  }

  private static KeyGenerator keys(KeyGenerator plugIn) {
    var provider =
        new KeyGeneratorProvider() {
          @Override
          public String type() {
            return "hostile";
          }

          @Override
          public KeyGenerator create(Map<String, String> properties) {
            return plugIn;
          }
        };
    return new AlgorithmCatalogue(List.of(), List.of(provider)).keyGenerator("HOSTILE", Map.of());
  }

  private static Encryptor encryptor(Supplier<Encryptor> plugIn) {
    var provider =
        new EncryptorProvider() {
          @Override
          public String type() {
            return "hostile";
          }

          @Override
          public Encryptor create(Map<String, String> properties) {
            return plugIn.get();
          }
        };
    return new EncryptorCatalogue(List.of(provider)).encryptor("HOSTILE", Map.of());
  }

  private static ShadowAlgorithm.Column shadow(Conduct conduct) {
    var provider =
        new ShadowMatcherProvider() {
          @Override
          public String type() {
            return "hostile";
          }

          @Override
          public ShadowMatcher create(Map<String, String> properties) {
            return conduct.like(ShadowMatcher.class, Map.of());
          }
        };
    return (ShadowAlgorithm.Column)
        new ShadowAlgorithms(List.of(provider))
            .of("HOSTILE", Map.of("column", "c", "operation", "insert"));
  }

  private static Masker masker(Conduct conduct) {
    var provider =
        new MaskerProvider() {
          @Override
          public String type() {
            return "hostile";
          }

          @Override
          public Masker create(Map<String, String> properties) {
            return conduct.like(Masker.class, Map.of());
          }
        };
    return new MaskerCatalogue(List.of(provider)).masker("HOSTILE", Map.of());
  }

  private static Encryptor encryptor(Conduct conduct) {
    Encryptor.Decryptor back = conduct.like(Encryptor.Decryptor.class, Map.of());
    return encryptor(
        () ->
            conduct.like(
                Encryptor.class,
                Map.of("isDeterministic", true, "isForPatterns", false, "decryptor", back)));
  }

  /** Questions whose answers are objects, so that null is one of them. */
  private static Map<String, Runnable> objects(Conduct conduct) {
    var one = (ShardingAlgorithm) placed(conduct.like(ShardingAlgorithm.class, Map.of()));
    var automatic =
        (ShardingAlgorithm)
            placed(
                conduct.like(
                    AutomaticAlgorithm.class,
                    Map.of("targetCount", 2, "needsEveryTarget", true, "suffixWidth", 1)));
    var several =
        (ComplexShardingAlgorithm) placed(conduct.like(ComplexShardingAlgorithm.class, Map.of()));
    var hint = (HintShardingAlgorithm) placed(conduct.like(HintShardingAlgorithm.class, Map.of()));
    KeyGenerator keys = keys(conduct.like(KeyGenerator.class, Map.of()));
    return Map.of(
        "range", () -> one.range(TARGETS, ALL),
        "automatic range", () -> automatic.range(TARGETS, ALL),
        "complex", () -> several.targets(TARGETS, Map.of(), Map.of()),
        "hint", () -> hint.targets(TARGETS, List.of()),
        "key", keys::next,
        "keys", () -> keys.next(2),
        "masker", () -> masker(conduct).mask("x"));
  }

  private static Map<String, Runnable> all(Conduct conduct) {
    var one = (ShardingAlgorithm) placed(conduct.like(ShardingAlgorithm.class, Map.of()));
    var all = new TreeMap<>(objects(conduct));
    all.put("precise", () -> one.precise(TARGETS, new SqlValue.Int(1)));
    all.put("shadow", () -> assertThat(shadow(conduct).matcher().test("x")).isFalse());
    if (!(conduct.thrown() instanceof IllegalArgumentException)) {
      Encryptor encryptor = encryptor(conduct);
      all.put("encrypt", () -> encryptor.encrypt("x"));
      all.put("decrypt", () -> way(encryptor).decrypt("x"));
    }
    return all;
  }

  private static Encryptor.Decryptor way(Encryptor encryptor) {
    Encryptor.Decryptor back = encryptor.decryptor();
    assertThat(back).isNotNull();
    return Objects.requireNonNull(back);
  }

  private static void isRefused(String question, Runnable asked) {
    assertThatThrownBy(asked::run)
        .as(question)
        .isInstanceOfSatisfying(
            RefusedException.class,
            refusal -> assertThat(refusal.is(ErrorCatalogue.PLUG_IN_FAILED)).isTrue())
        .hasMessageContaining("HOSTILE")
        .hasMessageNotContaining(SECRET);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whatIsThrownEndsTheStatement(Conduct conduct) {
    all(conduct).forEach(PlugInGuardTest::isRefused);
  }

  @Test
  void whatIsNotThereEndsTheStatement() {
    var nothing = new Conduct("nothing", null, null);
    objects(nothing).forEach(PlugInGuardTest::isRefused);
    isRefused("encrypt", () -> encryptor(nothing).encrypt("x"));
    isRefused("decrypt", () -> way(encryptor(nothing)).decrypt("x"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whatAProviderThrowsIsAProblemOfTheConfiguration(Conduct conduct) {
    var providers = new ArrayList<Runnable>();
    Map<String, Object> type = Map.of("type", "HOSTILE");
    AlgorithmProvider sharding = conduct.like(AlgorithmProvider.class, type);
    KeyGeneratorProvider keys = conduct.like(KeyGeneratorProvider.class, type);
    EncryptorProvider encryptors = conduct.like(EncryptorProvider.class, type);
    MaskerProvider maskers = conduct.like(MaskerProvider.class, type);
    ShadowMatcherProvider shadows = conduct.like(ShadowMatcherProvider.class, type);
    providers.add(() -> new AlgorithmCatalogue(List.of(sharding)).sharding("HOSTILE", Map.of()));
    providers.add(
        () ->
            new AlgorithmCatalogue(List.of(sharding))
                .sharding(
                    "CLASS_BASED",
                    Map.of(
                        "strategy",
                        "STANDARD",
                        "algorithmClassName",
                        sharding.getClass().getName())));
    providers.add(
        () -> new AlgorithmCatalogue(List.of(), List.of(keys)).keyGenerator("HOSTILE", Map.of()));
    providers.add(() -> new EncryptorCatalogue(List.of(encryptors)).encryptor("HOSTILE", Map.of()));
    providers.add(() -> new MaskerCatalogue(List.of(maskers)).masker("HOSTILE", Map.of()));
    providers.add(() -> new ShadowAlgorithms(List.of(shadows)).of("HOSTILE", Map.of()));
    providers.add(() -> encryptor(() -> conduct.like(Encryptor.class, Map.of())));
    for (Runnable provider : providers) {
      assertThatThrownBy(provider::run).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aProviderWithoutATypeIsAProblemOfThePlugIn(Conduct conduct) {
    AlgorithmProvider provider = conduct.like(AlgorithmProvider.class, Map.of());
    assertThatThrownBy(() -> new AlgorithmCatalogue(List.of(provider)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void positionsOutsideOfTheTargetsEndTheStatement() {
    for (int position : new int[] {-2, 2, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      var one =
          (ShardingAlgorithm)
              placed(
                  new Conduct("position", null, position).like(ShardingAlgorithm.class, Map.of()));
      isRefused("position " + position, () -> one.precise(TARGETS, new SqlValue.Int(1)));
    }
    var none =
        (ShardingAlgorithm)
            placed(new Conduct("none", null, -1).like(ShardingAlgorithm.class, Map.of()));
    assertThat(none.precise(TARGETS, new SqlValue.Int(1))).isEqualTo(ShardingAlgorithm.NO_TARGET);
    var wide = new BitSet();
    wide.set(2);
    var hint =
        (HintShardingAlgorithm)
            placed(new Conduct("wide", null, wide).like(HintShardingAlgorithm.class, Map.of()));
    isRefused("position 2", () -> hint.targets(TARGETS, List.of()));
  }

  @Test
  void setsOfAPlugInAreNotWrittenInto() {
    var kept = new BitSet();
    kept.set(1);
    var hint =
        (HintShardingAlgorithm)
            placed(new Conduct("kept", null, kept).like(HintShardingAlgorithm.class, Map.of()));
    hint.targets(TARGETS, List.of()).clear();
    assertThat(hint.targets(TARGETS, List.of()).get(1)).isTrue();
  }

  @Test
  void keysThatAreNoneEndTheStatement() {
    for (Object given :
        List.of(
            List.of(),
            List.of(new SqlValue.Int(1)),
            List.of(new SqlValue.Int(1), SqlValue.Null.NULL),
            List.of(SqlValue.Unknown.UNKNOWN, new SqlValue.Int(1)))) {
      KeyGenerator keys = keys(new Conduct("keys", null, given).like(KeyGenerator.class, Map.of()));
      isRefused("keys " + given, () -> keys.next(2));
    }
  }

  @Test
  void whatEndsTheProcessIsNotHeldBack() {
    var memory = new Conduct(new OutOfMemoryError("all gone"));
    all(memory)
        .forEach(
            (name, asked) ->
                assertThatThrownBy(asked::run).as(name).isInstanceOf(OutOfMemoryError.class));
  }

  @Test
  void ownRefusalsOfPlugInsAreTold() {
    RefusedException own = ErrorCatalogue.SHARDING_VALUE.refuse("mine", "a word", "give a number");
    all(new Conduct("refusal", own, null))
        .forEach((name, asked) -> assertThatThrownBy(asked::run).as(name).isSameAs(own));
  }

  @Test
  void valuesThatAnEncryptorDoesNotTakeAreToldAsForBuiltInTypes() {
    var other = new Conduct(new IllegalArgumentException("made with another key"));
    assertThatThrownBy(() -> way(encryptor(other)).decrypt("x"))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("made with another key");
    assertThatThrownBy(() -> encryptor(other).encrypt("x"))
        .isExactlyInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void builtInTypesAreNotGuarded() {
    PlacementAlgorithm mod =
        new AlgorithmCatalogue(List.of()).sharding("MOD", Map.of("sharding-count", "2"));
    assertThat(mod.getClass().getPackageName()).endsWith(".standard");
  }
}
