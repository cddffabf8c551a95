package io.anabranch.app.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A block of code of a page.
 *
 * @param page its path from the root of the tree
 * @param line where it begins, from 1
 * @param language behind the fence; empty: none is said, or the block is indented
 */
record Example(String page, int line, String language, String text) {

  private static final String FENCE = "```";
  private static final String INDENT = "    ";

  /** Those of all pages. */
  static List<Example> all() throws IOException {
    Path root = Path.of("..");
    var pages = new ArrayList<Path>();
    try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    pages.add(root.resolve("README.md"));
    pages.add(root.resolve("CONTRIBUTING.md"));
    var examples = new ArrayList<Example>();
    for (Path page : pages) {
      examples.addAll(of(root.relativize(page).toString(), Files.readAllLines(page)));
    }
    return examples;
  }

  static List<Example> of(String language) throws IOException {
    return all().stream().filter(each -> each.language.equals(language)).toList();
  }

  private static List<Example> of(String page, List<String> lines) {
    var examples = new ArrayList<Example>();
    boolean isBehindBlank = true;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int first = i + 1;
      if (line.startsWith(FENCE)) {
        int end = first;
        while (!lines.get(end).startsWith(FENCE)) {
          end++;
        }
        examples.add(
            new Example(
                page,
                first,
                line.substring(FENCE.length()).strip(),
                String.join("\n", lines.subList(first, end))));
        i = end;
      } else if (line.startsWith(INDENT) && isBehindBlank) {
        examples.add(new Example(page, first, "", line.strip()));
      }
      isBehindBlank = lines.get(i).isBlank();
    }
    return examples;
  }

  /** Statements, or commands, one after the other. */
  List<String> lines() {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  @Override
  public String toString() {
    return page + ":" + line;
  }
}
