package io.anabranch.rules.config.document;

import io.anabranch.rules.config.document.DocumentPart.Listing;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problems;
import io.anabranch.rules.config.yaml.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * One file.
 *
 * @param text of the file; holds passwords
 * @param root empty if the file is
 */
public record ConfigurationDocument(String fileName, String text, Mapping root) {

  /**
   * Reads a file.
   *
   * @throws RuntimeException if it is no YAML
   */
  public static ConfigurationDocument of(String fileName, String text) {
    return new ConfigurationDocument(fileName, text, DocumentReader.read(text));
  }

  /**
   * Reads a text that nobody has looked at yet.
   *
   * @throws ConfigurationException if it is no YAML
   */
  public static ConfigurationDocument ofUnknown(ConfigurationText text) {
    var problems = new Problems();
    var _ = YamlReader.read(text, problems);
    if (problems.hasErrors()) {
      throw new ConfigurationException(problems.errors());
    }
    return of(text.fileName(), text.content());
  }

  /** The logical database that it describes; null: none. */
  public @Nullable String databaseName() {
    String name = root.has("databaseName") ? root.text("databaseName") : root.text("schemaName");
    return name == null ? null : name.strip();
  }

  /**
   * A rule of a database, empty if it has none.
   *
   * @param tag without the exclamation mark, in any case
   */
  public Mapping rule(String tag) {
    if (root.entries().get("rules") instanceof Listing rules) {
      for (DocumentPart rule : rules.items()) {
        if (rule instanceof Mapping mapping && rule.tag().equalsIgnoreCase(tag)) {
          return mapping;
        }
      }
    }
    return Mapping.EMPTY;
  }

  /** What stands at a place; null: nothing. */
  public @Nullable DocumentPart at(String... path) {
    return DocumentPath.find(root, List.of(path));
  }

  /**
   * The same file with a value at a place; what is missing on the way is made, all else stays as it
   * is.
   *
   * @param path keys, and for an item of a list {@code !TAG}, or {@code [account]} for the one
   *     whose {@code user} it is, {@code {name}} for the one whose {@code name} it is
   * @throws UneditableException if the file is not written so that this could be changed alone
   */
  public ConfigurationDocument with(DocumentPart value, String... path) {
    List<String> steps = List.of(path);
    return value.equals(at(path))
        ? this
        : changed(editor -> editor.put(steps, value), DocumentPath.with(root, steps, value), steps);
  }

  /** The same with a value of one line. */
  public ConfigurationDocument with(String value, String... path) {
    return with(new DocumentPart.Scalar("", value), path);
  }

  /**
   * The same without what is at a place, and without what has nothing else in it then; as it is if
   * there is nothing.
   *
   * @throws UneditableException if the file is not written so that this could be changed alone
   */
  public ConfigurationDocument without(String... path) {
    if (at(path) == null) {
      return this;
    }
    List<String> steps = DocumentPath.pruned(root, List.of(path));
    return changed(editor -> editor.remove(steps), DocumentPath.without(root, steps), steps);
  }

  /**
   * The same with a list of other values: those that stay are left as they are.
   *
   * @throws UneditableException if the file is not written so that this could be changed alone
   */
  public ConfigurationDocument withList(List<String> values, String... path) {
    if (values.isEmpty()) {
      return without(path);
    }
    Listing wanted =
        new Listing(
            "",
            values.stream().<DocumentPart>map(each -> new DocumentPart.Scalar("", each)).toList());
    if (!(at(path) instanceof Listing list) || list.texts().stream().noneMatch(values::contains)) {
      return with(wanted, path);
    }
    List<String> steps = List.of(path);
    ConfigurationDocument document = this;
    List<DocumentPart> items = new ArrayList<>(list.items());
    for (int i = items.size() - 1; i >= 0; i--) {
      if (!wanted.items().contains(items.get(i))) {
        items.remove(i);
        int index = i;
        document =
            document.changed(
                editor -> editor.removeItem(steps, index),
                DocumentPath.with(document.root, steps, new Listing(list.tag(), items)),
                steps);
      }
    }
    for (DocumentPart item : wanted.items()) {
      if (!items.contains(item) && item instanceof DocumentPart.Scalar scalar) {
        items.add(item);
        document =
            document.changed(
                editor -> editor.add(steps, scalar),
                DocumentPath.with(document.root, steps, new Listing(list.tag(), items)),
                steps);
      }
    }
    return document;
  }

  /** What was made is read again: it must say what was meant, everywhere. */
  private ConfigurationDocument changed(
      Function<DocumentEditor, String> edit, DocumentPart meant, List<String> path) {
    ConfigurationDocument made;
    try {
      made = of(fileName, edit.apply(new DocumentEditor(text)));
    } catch (YAMLException | UneditableException unreadable) {
      throw uneditable(path);
    }
    if (!made.root.equals(meant)) {
      throw uneditable(path);
    }
    return made;
  }

  private UneditableException uneditable(List<String> path) {
    return new UneditableException(
        fileName
            + ": "
            + String.join(".", path)
            + " cannot be changed alone, as the file is written (with an anchor, perhaps); change"
            + " the file, then RELOAD CONFIGURATION");
  }

  /** Without the content, which holds passwords. */
  @Override
  public String toString() {
    return fileName;
  }
}
