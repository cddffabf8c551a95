package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.LogicalDatabase.SingleTables;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.task.PlanScope;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanCacheTest {

  private record Plan(String label, int[] guardedSlots) implements StatementPlan {
    @Override
    public StatementKind kind() {
      return StatementKind.SELECT;
    }

    @Override
    public Access access() {
      return Access.READ;
    }

    @Override
    public NameMapping names() {
      return NameMapping.ofSchema("db");
    }

    @Override
    public BoundPlan bind(SlotValues values) {
      return new BoundPlan.AsIs("ds_0");
    }
  }

  private static final PlanScope SCOPE = scope();

  private static PlanScope scope() {
    var database =
        new LogicalDatabase(
            "db", Map.of(), Map.of(), Map.of(), Map.of(), new SingleTables(List.of(), null));
    return new PlanScope(database, UTF_8, false, false);
  }

  private static Scan scan(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    return new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
  }

  private static Plan plan(String label, int... guards) {
    return new Plan(label, guards);
  }

  @Test
  void findsByNormalFormWithinTheScope() {
    var cache = new PlanCache(8);
    Plan plan = plan("a");
    cache.put(scan("select 1"), SCOPE, plan, 0, 0);
    assertThat(cache.find(scan("select  /* x */ 2"), SCOPE, 0)).isSameAs(plan);
    assertThat(cache.find(scan("select 'x'"), SCOPE, 0)).isNull();
    assertThat(cache.find(scan("select 1"), scope(), 0)).isNull();
    var ansi = new PlanScope(SCOPE.database(), UTF_8, true, false);
    assertThat(cache.find(scan("select 1"), ansi, 0)).isNull();
    cache.clear();
    assertThat(cache.find(scan("select 1"), SCOPE, 0)).isNull();
  }

  /** A column without an alias is called as it is written. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a  + 1, b from t",
        "select a +\n1, b from t",
        "select a /* x */ + 1, b from t",
        "select a + -- x\n1, b from t",
      })
  void spacesWithinItemsKeepPlansApart(String sql) {
    var cache = new PlanCache(8);
    Plan plan = plan("a");
    cache.put(scan("select a + 1, b from t"), SCOPE, plan, 0, 0);
    Scan other = scan(sql);
    assertThat(other.copyNormalForm()).isEqualTo(scan("select a + 2, b from t").copyNormalForm());
    assertThat(cache.find(other, SCOPE, 0)).isNull();
    Plan own = plan("b");
    cache.put(other, SCOPE, own, 0, 0);
    assertThat(cache.find(scan(sql), SCOPE, 0)).isSameAs(own);
    assertThat(cache.find(scan("select a + 2, b from t"), SCOPE, 0)).isSameAs(plan);
  }

  /** At each blank within an item of each form. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select %s, z from t where b = 1",
        "select distinct z, %s as s, %s from t union select 1, 2, 3 from u",
        "with c as (select 1) select %s from c",
        "delete from t where b = 1 returning %s",
        "insert into t select 1 from u returning z, %s",
      })
  void eachSpaceWithinAnItemKeepsPlansApart(String form) {
    for (String item :
        List.of(
            "a + 1",
            "cast(a as char)",
            "trim('x' from a)",
            "extract(day from d)",
            "concat(a, b)",
            "count(distinct a, b)",
            "(select distinct a from u as v where b in (1, 2))",
            "a in (select b from u)",
            "case when a then b end",
            "sum(a) over (partition by b order by c)",
            "group_concat(a order by b separator ',')")) {
      Scan single = scan(form.replace("%s", item));
      for (int blank = item.indexOf(' '); blank > 0; blank = item.indexOf(' ', blank + 1)) {
        String wider = item.substring(0, blank) + ' ' + item.substring(blank);
        Scan other = scan(form.replace("%s", wider));
        assertThat(other.copyNormalForm()).isEqualTo(single.copyNormalForm());
        assertThat(other.spacing()).as(wider).isNotEqualTo(single.spacing());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/* trace 7 */ select /* x */ a + 1,\n b\n from t where c = 1",
        "select  a + 1,  b from  t\nwhere c =\t1",
        "select a + 1, b from t /* x */ where -- y\n c = 1  ",
      })
  void otherSpacesShareOne(String sql) {
    var cache = new PlanCache(8);
    Plan plan = plan("a");
    cache.put(scan("select a + 1, b from t where c = 1"), SCOPE, plan, 0, 0);
    assertThat(cache.find(scan(sql), SCOPE, 0)).isSameAs(plan);
  }

  @Test
  void guardsKeepPlansOfOneNormalFormApart() {
    var cache = new PlanCache(8);
    Plan one = plan("one", 1);
    Plan two = plan("two", 1);
    cache.put(scan("select 7 order by 1"), SCOPE, one, 0, 0);
    assertThat(cache.find(scan("select 7 order by 2"), SCOPE, 0)).isNull();
    cache.put(scan("select 7 order by 2"), SCOPE, two, 0, 0);
    assertThat(cache.find(scan("select 8 order by 1"), SCOPE, 0)).isSameAs(one);
    assertThat(cache.find(scan("select 9 order by 2"), SCOPE, 0)).isSameAs(two);
  }

  @Test
  void keepsWhatIsUsedWhenItIsFull() {
    var cache = new PlanCache(100);
    cache.put(scan("select c0"), SCOPE, plan("0"), 0, 0);
    for (int i = 1; i < 1000; i++) {
      cache.put(scan("select c" + i), SCOPE, plan("c" + i), 0, 0);
      assertThat(cache.find(scan("select c0"), SCOPE, 0)).isNotNull();
      assertThat(cache.size()).isLessThanOrEqualTo(100);
    }
  }

  @Test
  void takesNewPlansWhenAllAreUsed() {
    var cache = new PlanCache(20);
    for (int i = 0; i < 100; i++) {
      cache.put(scan("select c" + i), SCOPE, plan("c" + i), 0, 0);
      assertThat(cache.find(scan("select c" + i), SCOPE, 0)).isNotNull();
    }
    assertThat(cache.size()).isEqualTo(20);
  }

  @Test
  void leavesBulkStatementsOut() {
    var cache = new PlanCache(8);
    String bulk = "insert into t values (1)" + ",(1)".repeat(PlanCache.MOST_SLOTS);
    cache.put(scan(bulk), SCOPE, plan("bulk"), 0, 0);
    assertThat(cache.size()).isZero();
  }

  /** However long the statements are, all plans together are bounded. */
  @Test
  void longPlansAreFewer() {
    var cache = new PlanCache(1000, 100_000);
    for (int i = 0; i < 500; i++) {
      cache.put(scan("select " + "a".repeat(2000) + i), SCOPE, plan("p" + i), 0, 0);
      assertThat(cache.size()).isLessThanOrEqualTo(6);
    }
    for (String between : List.of("/*" + "x".repeat(2000) + "*/", " ".repeat(2000))) {
      for (int i = 0; i < 500; i++) {
        cache.put(scan("select b" + i + between + "from t"), SCOPE, plan("p" + i), 0, 0);
        assertThat(cache.size()).isLessThanOrEqualTo(6);
      }
    }
    Plan last = plan("last");
    cache.put(scan("select " + "b".repeat(50_000)), SCOPE, last, 0, 0);
    assertThat(cache.size()).isEqualTo(1);
    assertThat(cache.find(scan("select " + "b".repeat(50_000)), SCOPE, 0)).isSameAs(last);
    for (int i = 0; i < 50; i++) {
      cache.put(scan("select x" + i), SCOPE, plan("p" + i), 0, 0);
    }
    assertThat(cache.size()).isBetween(40, 60);
  }

  /** The text of SELECT * is short, its plan is as wide as the table. */
  @Test
  void widePlansAreFewer() {
    var cache = new PlanCache(1000, 100_000);
    for (int i = 0; i < 50; i++) {
      cache.put(scan("select * from t" + i), SCOPE, plan("p" + i), 100, 0);
      assertThat(cache.size()).isLessThanOrEqualTo(4);
    }
  }
}
