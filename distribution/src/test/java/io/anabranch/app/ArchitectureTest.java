package io.anabranch.app;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.WrappedPlan;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The floors, their arrows and the house's names, as docs/architecture.md says them. */
class ArchitectureTest {

  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.anabranch");

  /** Those of this module: other modules keep theirs beside what they try. */
  private static final JavaClasses TESTS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.OnlyIncludeTests())
          .importPackages("io.anabranch.app");

  private static final int MOST_TYPES = 20;
  private static final int MOST_TYPES_OF_TESTS = 25;

  @Test
  void seesTheProductionClassesOfAllFloors() {
    for (String floor : new String[] {"protocol", "rules", "backend", "frontend", "app"}) {
      Assertions.assertThat(OURS)
          .as(floor)
          .anyMatch(type -> type.getPackageName().startsWith("io.anabranch." + floor));
    }
    Assertions.assertThat(OURS).noneMatch(type -> type.getPackageName().contains("testkit"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("arrows")
  void arrowsPointDown(String what, ArchRule rule) {
    rule.because(what).check(OURS);
  }

  static Stream<Arguments> arrows() {
    return Stream.of(
        arrow("protocol sees no other floor", "protocol", "rules", "backend", "frontend", "app"),
        arrow("rules see no other floor", "rules", "protocol", "backend", "frontend", "app"),
        arrow("backend is below the frontend", "backend", "frontend", "app"),
        arrow("nothing uses the distribution", "frontend", "app"));
  }

  private static Arguments arrow(String what, String from, String... to) {
    String[] forbidden =
        Stream.of(to).map(floor -> "io.anabranch." + floor + "..").toArray(String[]::new);
    return Arguments.of(
        what,
        noClasses()
            .that()
            .resideInAPackage("io.anabranch." + from + "..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(forbidden));
  }

  @ParameterizedTest
  @ValueSource(strings = {"io.anabranch.(*).(*)..", "io.anabranch.(**)"})
  void packagesHaveNoCycles(String slices) {
    slices().matching(slices).should().beFreeOfCycles().check(OURS);
  }

  @Test
  void packagesAreRooms() {
    Assertions.assertThat(typesOf(OURS))
        .allSatisfy((room, count) -> Assertions.assertThat(count).isLessThanOrEqualTo(MOST_TYPES));
    Assertions.assertThat(typesOf(TESTS))
        .allSatisfy(
            (room, count) -> Assertions.assertThat(count).isLessThanOrEqualTo(MOST_TYPES_OF_TESTS));
  }

  private static Map<String, Long> typesOf(JavaClasses classes) {
    return classes.stream()
        .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
        .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
  }

  @Test
  void packagesSayWhatTheyAreFor() {
    Set<String> heads =
        Stream.concat(OURS.stream(), TESTS.stream())
            .filter(type -> type.getSimpleName().equals("package-info"))
            .map(JavaClass::getPackageName)
            .collect(Collectors.toSet());
    Assertions.assertThat(OURS).allMatch(type -> heads.contains(type.getPackageName()));
    Assertions.assertThat(TESTS).allMatch(type -> heads.contains(type.getPackageName()));
  }

  /** Beside the program's own types is only what must see them; CONTRIBUTING.md lists the rooms. */
  @Test
  void integrationTestsLiveWithTheirTopics() {
    classes()
        .that()
        .haveSimpleNameEndingWith("IT")
        .should()
        .resideOutsideOfPackage("io.anabranch.app")
        .because("it has a topic: put it into the package of that name, beside this one")
        .check(TESTS);
  }

  @Test
  void fixturesKnowNoTopic() {
    noClasses()
        .that()
        .resideInAPackage("io.anabranch.app.fixture..")
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are tests of a topic",
                type ->
                    TESTS.contain(type.getName())
                        && type.getPackageName().startsWith("io.anabranch.app.")
                        && !type.getPackageName().startsWith("io.anabranch.app.fixture")))
        .check(TESTS);
    slices().matching("io.anabranch.app.(**)").should().beFreeOfCycles().check(TESTS);
  }

  @ParameterizedTest(name = "{0} only in {1}")
  @MethodSource("owners")
  void librariesHaveTheirOwners(String library, String[] owners) {
    noClasses()
        .that(ours().and(DescribedPredicate.not(resideInAnyPackage(owners))))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library)
        .check(OURS);
  }

  static Stream<Arguments> owners() {
    return Stream.of(
        owner("org.yaml.snakeyaml..", "io.anabranch.rules.config.."),
        owner(
            "org.bouncycastle..",
            "io.anabranch.frontend.tls..",
            "io.anabranch.rules.algorithm.encrypt.."),
        owner("com.alibaba.druid..", "io.anabranch.rules.sql.."),
        owner("com.google.re2j..", "io.anabranch.rules.model.protection.."),
        owner(
            "java.sql..",
            "io.anabranch.backend.pool..",
            "io.anabranch.backend.registry..",
            "io.anabranch.app.encrypt..",
            "io.anabranch.app.cli.."),
        owner("javax.sql..", "io.anabranch.backend.pool.."),
        owner("com.zaxxer.hikari..", "io.anabranch.backend.pool.."),
        owner(
            "com.google.gson..",
            "io.anabranch.frontend.admin..",
            "io.anabranch.app.admin..",
            "io.anabranch.app.cli.."),
        owner("picocli..", "io.anabranch.app.cli.."),
        owner("org.mariadb.jdbc..", "io.anabranch.backend.pool.."),
        owner("io.micrometer..", "io.anabranch.app.."),
        owner("io.opentelemetry..", "io.anabranch.app.tracing.."),
        owner(
            "io.netty..",
            "io.anabranch.protocol..",
            "io.anabranch.backend..",
            "io.anabranch.frontend..",
            "io.anabranch.app.."));
  }

  private static Arguments owner(String library, String... owners) {
    return Arguments.of(library, owners);
  }

  private static DescribedPredicate<JavaClass> ours() {
    return resideInAPackage("io.anabranch..");
  }

  @Test
  void onlyTheDistributionLoadsServices() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.anabranch.app..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ServiceLoader.class)
        .check(OURS);
  }

  @Test
  void nothingHidesStateInThreads() {
    noClasses().should().dependOnClassesThat().areAssignableTo(ThreadLocal.class).check(OURS);
  }

  @Test
  void staticFieldsDoNotChange() {
    fields()
        .that()
        .areStatic()
        .and(
            DescribedPredicate.describe(
                "are written by people", field -> !field.getName().startsWith("$")))
        .should()
        .beFinal()
        .check(OURS);
  }

  /** What a plan says more than its neighbours would else be lost by those around it. */
  @Test
  void plansAroundPlansPassOnWhatTheySay() {
    fields()
        .that()
        .haveRawType(StatementPlan.class)
        .and()
        .areDeclaredInClassesThat()
        .areAssignableTo(StatementPlan.class)
        .should()
        .beDeclaredInClassesThat()
        .areAssignableTo(WrappedPlan.class)
        .check(OURS);
  }

  @Test
  void namesSayWhatThingsAre() {
    classes()
        .that()
        .areTopLevelClasses()
        .should()
        .haveNameNotMatching(".*\\.(Abstract\\w*|\\w*(Util|Utils|Helper|Manager|Context|Impl))")
        .andShould()
        .resideOutsideOfPackages("..common..", "..core..", "..util..", "..utils..")
        .check(OURS);
  }
}
