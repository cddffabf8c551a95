package io.anabranch.app.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.value.SqlValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Expressions give the nodes that Mycat's own arithmetic gives, which is written down here anew.
 */
class MycatFunctionTest {

  private static final List<String> NODES = List.of("a", "c", "b");

  @TempDir Path folder;

  private MycatFunction function(String type, boolean areNumbered, String... properties)
      throws Exception {
    var xml =
        new StringBuilder("<function name=\"f\" class=\"io.mycat.route.function." + type + "\">");
    for (int i = 0; i < properties.length; i += 2) {
      xml.append("<property name=\"%s\">%s</property>".formatted(properties[i], properties[i + 1]));
    }
    Path file = Files.writeString(folder.resolve("f.xml"), xml.append("</function>"));
    return MycatFunction.of(XmlElement.read(file), "code", NODES, areNumbered, folder);
  }

  private static String node(MycatFunction function, SqlValue value) {
    var algorithm =
        (ShardingAlgorithm)
            new AlgorithmCatalogue(List.of()).sharding(function.type(), function.props());
    return NODES.get(algorithm.precise(new TargetSet(NODES), value));
  }

  /** PartitionByString: h * 31 + c in 64 bits of a slice, its last ten bits in segments. */
  private static String byString(String text, int end) {
    long hash = 0;
    for (int i = 0; i < Math.min(end, text.length()); i++) {
      hash = (hash << 5) - hash + text.charAt(i);
    }
    long slot = hash & 1023;
    return slot < 256 ? "a" : slot < 512 ? "c" : "b";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", "abcd", "abcde", "zzzz-1", "a longer text than eight", "日本語テキスト"})
  void textsAreWhereTheyWere(String text) throws Exception {
    String[] segments = {"partitionCount", "2,1", "partitionLength", "256,512"};
    MycatFunction first = function("PartitionByString", false, with(segments, "hashSlice", "0:4"));
    assertThat(node(first, new SqlValue.Text(text))).isEqualTo(byString(text, 4));
    MycatFunction whole = function("PartitionByString", false, with(segments, "hashSlice", "0:0"));
    assertThat(node(whole, new SqlValue.Text(text))).isEqualTo(byString(text, text.length()));
    // without a word it is the first eight characters
    MycatFunction standard = function("PartitionByString", false, segments);
    assertThat(node(standard, new SqlValue.Text(text))).isEqualTo(byString(text, 8));
  }

  private static String[] with(String[] properties, String... more) {
    var all = new ArrayList<>(List.of(properties));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void partsOfTextsAreNumbersOfNodes() throws Exception {
    MycatFunction part =
        function(
            "PartitionDirectBySubString",
            false,
            with(new String[] {"startIndex", "1", "size", "2"}, "partitionCount", "3"));
    assertThat(node(part, new SqlValue.Text("x02-more"))).isEqualTo("b");
    assertThat(part.reason()).contains("defaultPartition");
  }

  @Test
  void whatCountsNodesNeedsNumbers() throws Exception {
    String[] properties = {"seed", "0", "count", "3"};
    assertThat(function("PartitionByMurmurHash", false, properties).reason())
        .contains("one numbering");
    assertThat(function("PartitionByMurmurHash", true, properties).type())
        .isEqualTo("PARTITION_BY_MURMUR_HASH");
    assertThat(function("jumpStringHash", true, "partitionCount", "3").props())
        .containsEntry("total-buckets", "3")
        .containsEntry("hash-slice", "0:-1");
  }

  @Test
  void whatDoesNotFitIsSaid() throws Exception {
    assertThat(function("PartitionByMod", false, "count", "4").reason()).contains("3 node(s)");
    assertThat(function("PartitionByMod", false, "count", "x").reason()).contains("a number");
    assertThat(
            function("PartitionByLong", false, "partitionCount", "1", "partitionLength", "512")
                .reason())
        .contains("1024");
    assertThat(function("AutoPartitionByLong", false, "mapFile", "../../etc/passwd").reason())
        .contains("is not beside it");
    Files.writeString(folder.resolve("ranges.txt"), "0-10=7\n");
    assertThat(function("AutoPartitionByLong", false, "mapFile", "ranges.txt").reason())
        .contains("`0-10=7`");
  }
}
