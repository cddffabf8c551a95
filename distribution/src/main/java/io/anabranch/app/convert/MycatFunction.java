package io.anabranch.app.convert;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A {@code function} of {@code rule.xml} as an algorithm that gives the same node for each value:
 * one of its name where nodes are numbered, else an INLINE expression.
 *
 * @param type empty: there is none
 * @param reason why there is none, or what differs; empty: nothing does
 */
record MycatFunction(String type, Map<String, String> props, String reason) {

  private static final int SLOTS = 1024;
  private static final int MOST_CASES = 200;

  /** Has no value: a statement that comes to it is refused, as Mycat does. */
  private static final String NOWHERE = "Long.parseLong('no_node')";

  /** What no expression computes. */
  private static final Set<String> NUMBERED =
      Set.of(
          "partitionbymurmurhash",
          "partitionbyjumpconsistenthash",
          "jumpstringhash",
          "partitionbyprefixpattern",
          "partitionbydate",
          "date",
          "partitionbymonth");

  private static final String[] SEGMENTS = {
    "partitionCount", "partition-count", "partitionLength", "partition-length"
  };

  private static final Pattern RANGE =
      Pattern.compile("(-?\\d+)([KM]?)\\s*-\\s*(-?\\d+)([KM]?)\\s*=\\s*(\\d+)");
  private static final Pattern ENTRY = Pattern.compile("([^=]+)=\\s*(\\d+)");

  MycatFunction {
    props = Collections.unmodifiableMap(new LinkedHashMap<>(props));
  }

  private static MycatFunction unlike(String reason) {
    return new MycatFunction("", Map.of(), reason);
  }

  private static MycatFunction inline(String expression, String reason) {
    var props = new LinkedHashMap<String, String>();
    props.put("algorithm-expression", expression);
    props.put("allow-range-query-with-inline-sharding", "true");
    return new MycatFunction("INLINE", props, reason);
  }

  boolean isConverted() {
    return !type.isEmpty();
  }

  private static String kind(XmlElement function) {
    return function.attribute("class").replaceFirst(".*\\.", "").toLowerCase(Locale.ROOT);
  }

  /** Whether it can be converted only where nodes are numbered from 0. */
  static boolean needsNumbers(XmlElement function) {
    return NUMBERED.contains(kind(function));
  }

  /**
   * @param nodes in the order of the table: the function counts them from 0
   * @param areNumbered whether their names end with these numbers
   * @param folder where its files are
   */
  static MycatFunction of(
      XmlElement function, String column, List<String> nodes, boolean areNumbered, Path folder) {
    try {
      return switch (kind(function)) {
        case "partitionbymod" -> modulo(function, column, nodes);
        case "partitionbylong", "hash" ->
            areNumbered
                ? named(function, "PARTITION_BY_LONG", SEGMENTS)
                : slots(function, "Math.floorMod(%s, %d)".formatted(column, SLOTS), nodes);
        case "partitionbystring", "stringhash" ->
            areNumbered
                ? named(
                    function,
                    "PARTITION_BY_STRING",
                    SEGMENTS,
                    "hashSlice",
                    "hash-slice",
                    "hashLength",
                    "hash-length")
                : strings(function, column, nodes);
        case "partitiondirectbysubstring" -> substring(function, column, nodes);
        case "autopartitionbylong", "numberrange" -> ranges(function, column, nodes, folder);
        case "partitionbyfilemap", "enum" ->
            areNumbered
                ? mapped(
                    function,
                    folder,
                    "mapFile",
                    "mappings",
                    "PARTITION_BY_FILE_MAP",
                    "type",
                    "type",
                    "defaultNode",
                    "default-node")
                : enumeration(function, column, nodes, folder);
        case String kind when NUMBERED.contains(kind) && !areNumbered ->
            unlike(
                "the table's nodes are in another order, or other ones, than those of other tables: an algorithm that counts them needs one numbering for all");
        case "partitionbymurmurhash" ->
            mapped(
                function,
                folder,
                "weightMapFile",
                "weights",
                "PARTITION_BY_MURMUR_HASH",
                "count",
                "count",
                "seed",
                "seed",
                "virtualBucketTimes",
                "virtual-bucket-times");
        case "partitionbyjumpconsistenthash" ->
            named(function, "PARTITION_BY_JUMP_CONSISTENT_HASH", "totalBuckets", "total-buckets");
        case "jumpstringhash" -> jump(function);
        case "partitionbyprefixpattern" ->
            mapped(
                function,
                folder,
                "mapFile",
                "mappings",
                "PARTITION_BY_PREFIX_PATTERN",
                "prefixLength",
                "prefix-length",
                "patternValue",
                "pattern-value");
        case "partitionbydate", "date" ->
            named(
                function,
                "PARTITION_BY_DATE",
                "sBeginDate",
                "begin-date",
                "sEndDate",
                "end-date",
                "sPartionDay",
                "partition-day",
                "dateFormat",
                "date-format",
                "defaultNode",
                "default-node");
        case "partitionbymonth" ->
            named(
                function,
                "PARTITION_BY_MONTH",
                "sBeginDate",
                "begin-date",
                "sEndDate",
                "end-date",
                "dateFormat",
                "date-format");
        default ->
            unlike(
                "no algorithm here places rows as "
                    + (kind(function).isEmpty()
                        ? "a function without class"
                        : function.attribute("class"))
                    + " does; one of ext-lib can (docs/extending.md)");
      };
    } catch (NumberFormatException e) {
      return unlike("a number of its properties is none: " + e.getMessage());
    } catch (IOException e) {
      return unlike("its file cannot be read: " + e);
    }
  }

  /**
   * @param names of properties there and here
   */
  private static MycatFunction named(XmlElement function, String type, String... names) {
    var props = new LinkedHashMap<String, String>();
    for (int i = 0; i < names.length; i += 2) {
      String value = function.property(names[i]).replace(" ", "");
      if (!value.isEmpty()) {
        props.put(names[i + 1], value);
      }
    }
    return new MycatFunction(type, props, "");
  }

  private static MycatFunction named(
      XmlElement function, String type, String[] first, String... names) {
    var all = new ArrayList<>(List.of(first));
    all.addAll(List.of(names));
    return named(function, type, all.toArray(String[]::new));
  }

  /** dble's, whose slice is the whole text unless it says otherwise. */
  private static MycatFunction jump(XmlElement function) {
    MycatFunction made =
        named(
            function,
            "PARTITION_BY_JUMP_CONSISTENT_HASH",
            "partitionCount",
            "total-buckets",
            "hashSlice",
            "hash-slice");
    var props = new LinkedHashMap<>(made.props);
    props.putIfAbsent("hash-slice", "0:-1");
    return new MycatFunction(made.type, props, "");
  }

  private static MycatFunction mapped(
      XmlElement function, Path folder, String file, String key, String type, String... names)
      throws IOException {
    var props = new LinkedHashMap<String, String>();
    if (!function.property(file).isEmpty() || key.equals("mappings")) {
      props.put(key, String.join(",", lines(function, file, folder)).replace(" ", ""));
    }
    props.putAll(named(function, type, names).props);
    return new MycatFunction(type, props, "");
  }

  private static MycatFunction modulo(XmlElement function, String column, List<String> nodes) {
    int count = Integer.parseInt(function.property("count"));
    if (count < 1 || count > nodes.size()) {
      return unlike("count is " + count + ", the table has " + nodes.size() + " node(s)");
    }
    return inline(at(nodes.subList(0, count), "Math.abs(%s) %% %d".formatted(column, count)), "");
  }

  /** The name at a place of the list. */
  private static String at(List<String> nodes, String index) {
    String prefix = nodes.getFirst().replaceFirst("\\d+$", "");
    String number = nodes.getFirst().substring(prefix.length());
    if (number.matches("0|[1-9]\\d{0,5}")) {
      int first = Integer.parseInt(number);
      boolean areConsecutive = true;
      for (int i = 0; i < nodes.size(); i++) {
        areConsecutive &= nodes.get(i).equals(prefix + (first + i));
      }
      if (areConsecutive) {
        return prefix + "${" + index + (first == 0 ? "" : " + " + first) + "}";
      }
    }
    return "${['" + String.join("', '", nodes) + "'][" + index + "]}";
  }

  /** Some of the 1024 slots for each node. */
  private static MycatFunction slots(XmlElement function, String slot, List<String> nodes) {
    List<Integer> counts = numbers(function.property("partitionCount"));
    List<Integer> lengths = numbers(function.property("partitionLength"));
    var ends = new ArrayList<Integer>();
    int end = 0;
    for (int i = 0; i < Math.min(counts.size(), lengths.size()); i++) {
      for (int j = 0; j < counts.get(i) && ends.size() <= SLOTS; j++) {
        end += lengths.get(i);
        ends.add(end);
      }
    }
    if (counts.size() != lengths.size() || end != SLOTS) {
      return unlike("partitionCount and partitionLength do not make 1024 slots");
    }
    if (ends.size() > nodes.size()) {
      return unlike("it has %d parts, the table %d node(s)".formatted(ends.size(), nodes.size()));
    }
    if (counts.size() == 1) {
      return inline(
          at(nodes.subList(0, ends.size()), slot + ".intdiv(" + lengths.getFirst() + ")"), "");
    }
    var cases = new ArrayList<String>();
    for (int i = 0; i < ends.size() - 1; i++) {
      cases.add("%s < %d ? '%s'".formatted(slot, ends.get(i), nodes.get(i)));
    }
    return cases(cases, quoted(nodes.get(ends.size() - 1)));
  }

  private static List<Integer> numbers(String list) {
    return Stream.of(list.split(",", -1)).map(String::strip).map(Integer::valueOf).toList();
  }

  private static MycatFunction strings(XmlElement function, String column, List<String> nodes) {
    String slice = function.property("hashSlice").replace(" ", "");
    int length = Integer.parseInt("0" + function.property("hashLength").strip());
    if (slice.isEmpty() && length == 0) {
      slice = "0:8";
    }
    String text = column + ".toString()";
    if (!List.of("0:0", ":", "0:").contains(slice) || length > 0) {
      Matcher first = Pattern.compile("0?:([1-9]\\d{0,4})").matcher(slice);
      if (length == 0 && !first.matches()) {
        return unlike("hashSlice " + slice + " is neither the whole text nor its beginning");
      }
      int end = length > 0 ? length : Integer.parseInt(first.group(1));
      text =
          "(%1$s.length() <= %2$d ? %1$s : %1$s.substring(0, %2$d))"
              .formatted(column + ".toString()", end);
    }
    // Mycat's hash is String.hashCode in 64 bits, of which it takes the last ten.
    return slots(function, "Math.floorMod(%s.hashCode(), %d)".formatted(text, SLOTS), nodes);
  }

  private static MycatFunction substring(XmlElement function, String column, List<String> nodes) {
    int start = Integer.parseInt(function.property("startIndex"));
    int size = Integer.parseInt(function.property("size"));
    int count = Integer.parseInt(function.property("partitionCount"));
    if (start < 0 || size < 1 || count > nodes.size()) {
      return unlike(
          "startIndex %d, size %d and partitionCount %d do not fit %d node(s)"
              .formatted(start, size, count, nodes.size()));
    }
    String digits = "Integer.parseInt(%s.substring(%d, %d))".formatted(column, start, start + size);
    return inline(
        at(nodes.subList(0, count), digits),
        "a text whose part is no number of a node is refused here; Mycat sends it to defaultPartition "
            + function.property("defaultPartition"));
  }

  private static MycatFunction ranges(
      XmlElement function, String column, List<String> nodes, Path folder) throws IOException {
    var cases = new ArrayList<String>();
    for (String line : lines(function, "mapFile", folder)) {
      Matcher range = RANGE.matcher(line.toUpperCase(Locale.ROOT));
      if (!range.matches()) {
        return unlike("`" + line + "` is no range that is known here");
      }
      int node = Integer.parseInt(range.group(5));
      if (node >= nodes.size()) {
        return unlike("`" + line + "`: the table has " + nodes.size() + " node(s)");
      }
      cases.add(
          "%s >= %d && %s <= %d ? '%s'"
              .formatted(
                  column,
                  scaled(range.group(1), range.group(2)),
                  column,
                  scaled(range.group(3), range.group(4)),
                  nodes.get(node)));
    }
    return cases(cases, otherwise(function, nodes));
  }

  private static long scaled(String digits, String unit) {
    long factor =
        switch (unit) {
          case "K" -> 1000;
          case "M" -> 10_000;
          default -> 1;
        };
    return Math.multiplyExact(Long.parseLong(digits), factor);
  }

  private static MycatFunction enumeration(
      XmlElement function, String column, List<String> nodes, Path folder) throws IOException {
    boolean isText = !function.property("type").equals("0") && !function.property("type").isEmpty();
    var cases = new ArrayList<String>();
    String otherwise = otherwise(function, nodes);
    for (String line : lines(function, "mapFile", folder)) {
      Matcher entry = ENTRY.matcher(line);
      if (!entry.matches() || line.contains("'") || line.contains("\\")) {
        return unlike("`" + line + "` is no entry that is known here");
      }
      int node = Integer.parseInt(entry.group(2));
      String value = entry.group(1).strip();
      if (node >= nodes.size()) {
        return unlike("`" + line + "`: the table has " + nodes.size() + " node(s)");
      }
      if (value.equals("DEFAULT_NODE")) {
        otherwise = quoted(nodes.get(node));
      } else {
        String wanted = isText ? "'" + value + "'" : Long.toString(Long.parseLong(value));
        cases.add("%s == %s ? '%s'".formatted(column, wanted, nodes.get(node)));
      }
    }
    return cases(cases, otherwise);
  }

  private static String otherwise(XmlElement function, List<String> nodes) {
    String text = function.property("defaultNode");
    int node = text.isEmpty() ? -1 : Integer.parseInt(text);
    return node >= 0 && node < nodes.size() ? quoted(nodes.get(node)) : NOWHERE;
  }

  private static MycatFunction cases(List<String> cases, String otherwise) {
    if (cases.size() > MOST_CASES) {
      return unlike(cases.size() + " cases are too many for an expression");
    }
    var text = new StringBuilder("${");
    cases.forEach(each -> text.append(each).append(" : "));
    return inline(text.append(otherwise).append('}').toString(), "");
  }

  private static String quoted(String name) {
    return "'" + name + "'";
  }

  private static List<String> lines(XmlElement function, String property, Path folder)
      throws IOException {
    String name = function.property(property);
    Path file = folder.resolve(name).normalize();
    if (name.isEmpty() || !file.startsWith(folder.normalize())) {
      throw new IOException(property + " `" + name + "` is not beside it");
    }
    return Files.readAllLines(file, StandardCharsets.UTF_8).stream()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.startsWith("//"))
        .toList();
  }
}
