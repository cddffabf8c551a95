import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/**
 * Looks at what the tarball is made of: see {@code .ci/dependencies}. Exits 1 and names the
 * problems where there are some.
 */
final class Dependencies {

  private static final Path PAGE = Path.of("docs", "dependencies.md");
  private static final String HEAD = "| library | version | licence |\n| --- | --- | --- |\n";

  /** What the house takes, by what licences' names have in them. */
  private static final Map<String, Pattern> LICENCES = new TreeMap<>();

  static {
    LICENCES.put("Apache-2.0", words("apache"));
    LICENCES.put("BSD", words("bsd|go license|hdrhistogram"));
    LICENCES.put("MIT", words("\\bmit\\b|bouncy castle"));
    LICENCES.put("EPL", words("eclipse public|\\bepl\\b"));
    LICENCES.put("LGPL", words("lgpl|lesser general"));
    LICENCES.put("CC0", words("cc0|creative commons|public domain"));
  }

  private record Library(String group, String name, String version, String classifier, Path jar) {

    String id() {
      return group + ":" + name;
    }

    String title() {
      return classifier.isEmpty() ? id() : id() + ":" + classifier;
    }
  }

  private final List<String> problems = new ArrayList<>();
  private final List<Library> libraries = new ArrayList<>();

  private Dependencies() {}

  /**
   * @param args {@code check} or {@code write}; the list that Maven made; the unpacked {@code lib};
   *     and perhaps a file with OSV's advisories for Maven
   */
  public static void main(String[] args) throws IOException {
    var own = new Dependencies();
    own.read(Path.of(args[1]));
    own.comparePackaged(Path.of(args[2]));
    own.checkVersions();
    own.page(args[0].equals("write"));
    if (args.length > 3) {
      own.compareAdvisories(Path.of(args[3]));
    } else {
      System.out.println(
          "Advisories were NOT asked for: there is no file of them (see .ci/dependencies).");
    }
    own.problems.forEach(problem -> System.out.println("PROBLEM " + problem));
    System.out.println(own.libraries.size() + " libraries, " + own.problems.size() + " problems");
    System.exit(own.problems.isEmpty() ? 0 : 1);
  }

  private static Pattern words(String pattern) {
    return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
  }

  // ---------------------------------------------------------------- what there is

  /** Lines {@code group:name:jar[:classifier]:version:scope:path}. */
  private void read(Path list) throws IOException {
    for (String line : Files.readAllLines(list)) {
      String text = line.strip().replaceFirst(" -- module.*", "").replaceFirst("\u001b.*", "");
      String[] parts = text.split(":");
      boolean isOthers = parts.length >= 6 && !parts[0].equals("io.anabranch");
      if (isOthers
          && (parts[parts.length - 2].equals("compile")
              || parts[parts.length - 2].equals("runtime"))) {
        boolean isClassified = parts.length == 7;
        libraries.add(
            new Library(
                parts[0],
                parts[1],
                parts[isClassified ? 4 : 3],
                isClassified ? parts[3] : "",
                Path.of(parts[parts.length - 1])));
      }
    }
    if (libraries.isEmpty()) {
      problems.add("the list is empty");
    }
  }

  /** What is delivered is what Maven says, byte for byte, and that is what its repository said. */
  private void comparePackaged(Path lib) throws IOException {
    var delivered = new TreeSet<String>();
    try (var files = Files.list(lib)) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".jar"))
          .forEach(delivered::add);
    }
    for (String own :
        List.of(
            "mysql-protocol", "rules-engine", "proxy-backend", "proxy-frontend", "distribution")) {
      if (!delivered.removeIf(name -> name.startsWith(own + "-"))) {
        problems.add("no " + own + " in the tarball");
      }
    }
    for (Library library : libraries) {
      String name = library.jar().getFileName().toString();
      if (!delivered.remove(name)) {
        problems.add(library.title() + " is not in the tarball");
        continue;
      }
      if (Files.mismatch(library.jar(), lib.resolve(name)) != -1) {
        problems.add(name + " in the tarball is not that of the repository");
      }
      Path sum = Path.of(library.jar() + ".sha1");
      if (!Files.exists(sum)) {
        System.out.println(name + ": Maven kept no checksum, it was NOT compared with one");
      } else if (!Files.readString(sum).strip().startsWith(sha1(library.jar()))) {
        problems.add(name + " does not have the checksum that the repository told");
      }
    }
    delivered.forEach(name -> problems.add(name + " is in the tarball, and no dependency"));
  }

  private static String sha1(Path file) throws IOException {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-1").digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Nothing that means another thing tomorrow. */
  private void checkVersions() throws IOException {
    Pattern version = Pattern.compile("<(\\w*[vV]ersion|[\\w.-]+\\.version)>([^<]*)<");
    List<Path> poms;
    try (var files = Files.walk(Path.of("."), 2)) {
      poms = files.filter(file -> file.endsWith("pom.xml")).toList();
    }
    for (Path pom : poms) {
      Matcher found = version.matcher(withoutConfiguration(Files.readString(pom)));
      while (found.find()) {
        String text = found.group(2).strip();
        boolean isOpen =
            text.matches("[\\[(].*[,].*[\\])]")
                || text.matches("(?i)latest|release|.*-SNAPSHOT|.*\\+");
        if (isOpen && !found.group(1).startsWith("require")) {
          problems.add(pom + ": the version " + text + " is not one");
        }
      }
    }
    for (Library library : libraries) {
      if (library.version().matches("(?i).*(snapshot|alpha|beta|milestone|-rc|-m[0-9]).*")) {
        problems.add(library.title() + " " + library.version() + " is not released");
      }
    }
  }

  /** Ranges there are of what the build runs on. */
  private static String withoutConfiguration(String pom) {
    return pom.replaceAll("(?s)<configuration>.*?</configuration>", "");
  }

  // ---------------------------------------------------------------- licences

  /** The licences that a library's POM names, or one of its parents. */
  private List<String> licences(Library library) throws IOException {
    Path pom = library.jar().resolveSibling(library.name() + "-" + library.version() + ".pom");
    Path repository = library.jar();
    for (int i = 0; i < library.group().split("\\.").length + 3; i++) {
      repository = repository.getParent();
    }
    for (int depth = 0; depth < 6 && pom != null && Files.exists(pom); depth++) {
      String text = Files.readString(pom).replaceAll("(?s)<!--.*?-->", "");
      Matcher licences = Pattern.compile("(?s)<licenses>(.*?)</licenses>").matcher(text);
      if (licences.find()) {
        return Pattern.compile("<name>\\s*(.*?)\\s*</name>")
            .matcher(licences.group(1))
            .results()
            .map(name -> name.group(1))
            .toList();
      }
      pom = parent(text, repository);
    }
    return List.of();
  }

  private static Path parent(String pom, Path repository) {
    Matcher parent = Pattern.compile("(?s)<parent>(.*?)</parent>").matcher(pom);
    if (!parent.find()) {
      return null;
    }
    String group = element(parent.group(1), "groupId");
    String name = element(parent.group(1), "artifactId");
    String version = element(parent.group(1), "version");
    return repository
        .resolve(group.replace('.', '/'))
        .resolve(name)
        .resolve(version)
        .resolve(name + "-" + version + ".pom");
  }

  private static String element(String text, String name) {
    Matcher found = Pattern.compile("<" + name + ">\\s*(.*?)\\s*</" + name + ">").matcher(text);
    return found.find() ? found.group(1) : "";
  }

  private String licence(Library library) throws IOException {
    var names = new TreeSet<String>();
    for (String licence : licences(library)) {
      for (Map.Entry<String, Pattern> known : LICENCES.entrySet()) {
        if (known.getValue().matcher(licence).find()) {
          names.add(known.getKey());
        }
      }
      if (names.isEmpty()) {
        problems.add(library.title() + " has a licence that is not on the list: " + licence);
      }
    }
    if (names.isEmpty()) {
      problems.add(library.title() + " names no licence");
    }
    return String.join(", ", names);
  }

  private void page(boolean isWritten) throws IOException {
    var rows = new TreeSet<String>();
    for (Library library : libraries) {
      rows.add(
          "| " + library.title() + " | " + library.version() + " | " + licence(library) + " |");
    }
    String table = HEAD + String.join("\n", rows) + "\n";
    String page = Files.readString(PAGE);
    String there = page.substring(page.indexOf(HEAD));
    if (isWritten) {
      Files.writeString(PAGE, page.replace(there, table));
    } else if (!there.equals(table)) {
      problems.add(PAGE + " has another list: .ci/dependencies write");
    }
  }

  // ---------------------------------------------------------------- advisories

  /** OSV's format: {@code affected[].package}, {@code versions}, {@code ranges[].events}. */
  private void compareAdvisories(Path file) throws IOException {
    var all = new ArrayList<>(libraries);
    // a file in which this is not found says nothing
    var known =
        new Library("org.apache.logging.log4j", "log4j-core", "2.14.1", "", Path.of("none"));
    all.add(known);
    boolean isUsable = false;
    int read = 0;
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (var entry : zip.stream().filter(each -> each.getName().endsWith(".json")).toList()) {
        read++;
        JsonObject advisory;
        try (var in = new InputStreamReader(zip.getInputStream(entry), StandardCharsets.UTF_8)) {
          advisory = JsonParser.parseReader(in).getAsJsonObject();
        }
        if (advisory.has("withdrawn")) {
          continue;
        }
        for (Library library : all) {
          if (!isAffected(advisory, library)) {
            continue;
          }
          if (library == known) {
            isUsable = true;
          } else {
            problems.add(
                library.title()
                    + " "
                    + library.version()
                    + ": "
                    + advisory.get("id").getAsString());
          }
        }
      }
    }
    if (!isUsable) {
      problems.add(file + " does not know what everybody knows: it is no file of advisories");
    }
    System.out.println(read + " advisories of " + file + " were compared");
  }

  private static JsonArray array(JsonObject from, String name) {
    JsonElement found = from.get(name);
    return found == null || found.isJsonNull() ? new JsonArray() : found.getAsJsonArray();
  }

  private static boolean isAffected(JsonObject advisory, Library library) {
    for (JsonElement each : array(advisory, "affected")) {
      JsonObject affected = each.getAsJsonObject();
      JsonObject artifact = affected.getAsJsonObject("package");
      if (artifact == null
          || !artifact.get("ecosystem").getAsString().equals("Maven")
          || !artifact.get("name").getAsString().equals(library.id())) {
        continue;
      }
      for (JsonElement version : array(affected, "versions")) {
        if (version.getAsString().equals(library.version())) {
          return true;
        }
      }
      for (JsonElement range : array(affected, "ranges")) {
        if (isWithin(array(range.getAsJsonObject(), "events"), library.version())) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isWithin(JsonArray events, String version) {
    boolean isWithin = false;
    for (JsonElement each : events) {
      JsonObject event = each.getAsJsonObject();
      if (event.has("introduced")) {
        String from = event.get("introduced").getAsString();
        isWithin |= from.equals("0") || compare(version, from) >= 0;
      } else if (event.has("fixed") && compare(version, event.get("fixed").getAsString()) >= 0) {
        isWithin = false;
      } else if (event.has("last_affected")
          && compare(version, event.get("last_affected").getAsString()) > 0) {
        isWithin = false;
      }
    }
    return isWithin;
  }

  /** As Maven compares: numbers as numbers, {@code alpha < beta < milestone < rc < "" < sp}. */
  private static int compare(String left, String right) {
    List<String> a = parts(left);
    List<String> b = parts(right);
    for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
      int compared =
          rank(i < a.size() ? a.get(i) : "").compareTo(rank(i < b.size() ? b.get(i) : ""));
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private static List<String> parts(String version) {
    return Pattern.compile("\\d+|[a-zA-Z]+")
        .matcher(version)
        .results()
        .map(part -> part.group())
        .toList();
  }

  /** Sorts as text. */
  private static String rank(String part) {
    if (!part.isEmpty() && Character.isDigit(part.charAt(0))) {
      String digits = part.replaceFirst("^0+", "");
      // nothing is like zero
      return digits.isEmpty() ? "5" : "7" + "%04d".formatted(digits.length()) + digits;
    }
    return switch (part.toLowerCase(java.util.Locale.ROOT)) {
      case "alpha", "a" -> "0";
      case "beta", "b" -> "1";
      case "milestone", "m" -> "2";
      case "rc", "cr" -> "3";
      case "snapshot" -> "4";
      case "", "final", "ga", "release" -> "5";
      case "sp" -> "60";
      default -> "61" + part;
    };
  }
}
