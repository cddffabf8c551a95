import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Checks ({@code check}) or mends ({@code write}) the formatting of every Java source below the
 * working directory. Exits 1 when a file is not formatted.
 */
final class Format {
  private Format() {}

  public static void main(String[] args) throws IOException {
    boolean write = List.of(args).contains("write");
    Formatter formatter = new Formatter();
    AtomicInteger wrong = new AtomicInteger();
    List<Path> sources;
    try (var files = Files.walk(Path.of("."))) {
      sources =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.toString().contains("/target/"))
              .sorted()
              .toList();
    }
    sources.parallelStream()
        .forEach(
            source -> {
              try {
                String text = Files.readString(source);
                String formatted =
                    formatter.formatSource(
                        RemoveUnusedImports.removeUnusedImports(
                            ImportOrderer.reorderImports(text, JavaFormatterOptions.Style.GOOGLE)));
                if (formatted.equals(text)) {
                  return;
                }
                if (write) {
                  Files.writeString(source, formatted);
                } else {
                  wrong.incrementAndGet();
                  System.err.println("not formatted: " + source);
                }
              } catch (FormatterException e) {
                wrong.incrementAndGet();
                System.err.println("cannot parse " + source + ": " + e.getMessage());
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    if (wrong.get() > 0) {
      System.err.println(wrong + " file(s) need formatting: mvn -N validate -Dformat.mode=write");
      System.exit(1);
    }
  }
}
