package io.anabranch.rules.secret;

import io.anabranch.rules.file.PlainFile;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Puts values in the place of {@code ${env:NAME}}, {@code ${file:path}} and {@code ${scheme:name}}
 * of a {@link SecretSource}, anywhere in a text and any number of them. A second dollar sign in
 * front takes the meaning away: {@code $${x}} becomes {@code ${x}}. What comes in is taken as it
 * is: references in it mean nothing.
 *
 * <p>Environment, files and sources are looked at with each call, so that a secret that has changed
 * is found when the configuration is read again, but for those {@link #ofOneMoment}. Any thread;
 * reads files.
 */
public final class Secrets {

  private static final Pattern REFERENCE =
      Pattern.compile(
          "\\$(?<escaped>\\$\\{)|\\$\\{(?<inner>[^{}]*)\\}|(?<open>\\$\\{(?<scheme>[a-z][a-z0-9-]*):)");

  /** Schemes. */
  static final String ENVIRONMENT = "env";

  static final String FILE = "file";

  private final Path folder;
  private final Function<String, @Nullable String> environment;
  private final Map<String, SecretSource> others;

  /** By text; null: nothing is kept. */
  private final @Nullable Map<String, Resolved> known;

  /**
   * @param folder where relative paths of files begin
   * @param environment the value of a variable; null if it is not set
   */
  public Secrets(Path folder, Function<String, @Nullable String> environment) {
    this(folder, environment, Map.of());
  }

  /**
   * @param others by their schemes
   */
  Secrets(
      Path folder,
      Function<String, @Nullable String> environment,
      Map<String, SecretSource> others) {
    this(folder, environment, others, null);
  }

  private Secrets(
      Path folder,
      Function<String, @Nullable String> environment,
      Map<String, SecretSource> others,
      @Nullable Map<String, Resolved> known) {
    this.folder = folder;
    this.environment = environment;
    this.others = others;
    this.known = known;
  }

  /** The same that looks once for each text: what one configuration is read with is all alike. */
  public Secrets ofOneMoment() {
    return new Secrets(folder, environment, others, new ConcurrentHashMap<>());
  }

  /**
   * What a text says with all values in their places.
   *
   * @param text complete, unless something is missing: then not to be used
   * @param missing what could not be found, in the order of the text
   */
  public record Resolved(String text, List<Missing> missing) {

    public Resolved {
      missing = List.copyOf(missing);
    }

    /** Without the text. */
    @Override
    public String toString() {
      return "Resolved" + missing;
    }
  }

  /**
   * A reference that leads nowhere. Never holds a secret.
   *
   * @param reason a sentence without a full stop
   * @param cure what to do
   */
  public record Missing(String reason, String cure) {}

  /** Reads whatever the text refers to. Blocks for files. */
  public Resolved resolve(String text) {
    return known == null ? found(text) : known.computeIfAbsent(text, this::found);
  }

  private Resolved found(String text) {
    var missing = new ArrayList<Missing>();
    var whole = new StringBuilder();
    Matcher reference = REFERENCE.matcher(text);
    while (reference.find()) {
      String inner = reference.group("inner");
      String open = reference.group("open");
      if (open != null && isKnown(reference.group("scheme"))) {
        missing.add(
            new Missing(
                "holds `" + open + "` without a closing brace",
                "close it, or write $${ where ${ itself is meant"));
      }
      String value = inner != null ? value(inner, missing) : open != null ? open : "${";
      reference.appendReplacement(whole, Matcher.quoteReplacement(value));
    }
    reference.appendTail(whole);
    return new Resolved(whole.toString(), missing);
  }

  /** Whether a text is nothing but references, so that it tells no secret by itself. */
  public static boolean areReferences(String text) {
    int end = 0;
    Matcher reference = REFERENCE.matcher(text);
    while (reference.find() && reference.start() == end && reference.group("inner") != null) {
      end = reference.end();
    }
    return end == text.length();
  }

  /** The files that a text refers to, as it names them. */
  public static List<String> files(String text) {
    var files = new ArrayList<String>();
    Matcher reference = REFERENCE.matcher(text);
    while (reference.find()) {
      String inner = reference.group("inner");
      if (inner != null && inner.startsWith(FILE + ":")) {
        files.add(inner.substring(FILE.length() + 1));
      }
    }
    return files;
  }

  private boolean isKnown(String scheme) {
    return scheme.equals(ENVIRONMENT) || scheme.equals(FILE) || others.containsKey(scheme);
  }

  private String value(String inner, List<Missing> missing) {
    int colon = Math.max(0, inner.indexOf(':'));
    String scheme = inner.substring(0, colon);
    String name = inner.substring(Math.min(inner.length(), colon + 1));
    if (scheme.equals(ENVIRONMENT)) {
      return variable(name, missing);
    }
    if (scheme.equals(FILE)) {
      return content(name, missing);
    }
    SecretSource source = others.get(scheme);
    if (source != null) {
      return secret(source, name, missing);
    }
    missing.add(
        new Missing(
            "holds `${...}` that is neither ${env:NAME} nor ${file:path}"
                + others.keySet().stream()
                    .sorted()
                    .map(known -> " nor ${" + known + ":...}")
                    .collect(Collectors.joining()),
            "name an environment variable or a file, or write $${ where ${ itself is meant"));
    return "";
  }

  /** Whatever a plug-in throws: the others, and what is in force, are none of its. */
  private static String secret(SecretSource source, String name, List<Missing> missing) {
    String reference = "${" + source.scheme() + ":" + name + "}";
    @Nullable String secret;
    try {
      secret = source.secret(name);
    } catch (Exception | LinkageError | StackOverflowError failure) {
      if (failure instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      missing.add(
          new Missing(
              "the plug-in cannot give `" + reference + "`",
              failure.getMessage() == null ? failure.getClass().getName() : failure.getMessage()));
      return "";
    }
    if (secret == null) {
      missing.add(new Missing("the plug-in gives no value for `" + reference + "`", "see there"));
      return "";
    }
    return secret;
  }

  private String variable(String name, List<Missing> missing) {
    String value = name.isEmpty() ? null : environment.apply(name);
    if (value == null) {
      missing.add(
          new Missing(
              "there is no environment variable `" + name + "`",
              "set it where the proxy is started"));
      return "";
    }
    return value;
  }

  /** Without the line end that editors leave. */
  private String content(String name, List<Missing> missing) {
    String reason;
    try {
      Path file = folder.resolve(name);
      String text = PlainFile.text(file, PlainFile.MOST_SECRET);
      int end = text.length() - (text.endsWith("\r\n") ? 2 : text.endsWith("\n") ? 1 : 0);
      return text.substring(0, end);
    } catch (InvalidPathException e) {
      reason = "has no valid name";
    } catch (NoSuchFileException e) {
      reason = "does not exist";
    } catch (AccessDeniedException e) {
      reason = "may not be read by the proxy";
    } catch (CharacterCodingException e) {
      reason = "is no UTF-8 text";
    } catch (FileSystemException e) {
      String refused = e.getReason();
      reason = refused == null ? "cannot be read" : refused;
    } catch (IOException e) {
      reason = "cannot be read (" + e.getClass().getSimpleName() + ")";
    }
    missing.add(
        new Missing(
            "the file `" + name + "` " + reason,
            "relative paths begin in the folder of the configuration"));
    return "";
  }
}
