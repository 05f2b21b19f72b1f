package io.tidemark.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The settings that sentences and tables of the documents give a value. */
public final class DocumentSettings {
  private static final Pattern FENCED =
      Pattern.compile("^```.*?^```", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern GIVEN =
      Pattern.compile("`(?:--)?([a-z][a-z0-9]*(?:-[a-z0-9]+)+)(?:=|: ?)([^`\\s][^`]*)`");

  /** Stands for a value that the reader has. */
  private static final Pattern PLACEHOLDER = Pattern.compile(".*\\b[A-Z]{3,}\\b.*");

  private DocumentSettings() {}

  /**
   * A setting with its value.
   *
   * @param document path from the top of the checkout
   */
  public record Given(String document, String key, String value) {
    /** Whether the value stands for another one. */
    public boolean isPlaceholder() {
      return PLACEHOLDER.matcher(value).matches();
    }

    @Override
    public String toString() {
      return document + ": " + key + '=' + value;
    }
  }

  /** All of them whose name has a hyphen, in the order of the documents. */
  public static List<Given> all() {
    List<Given> all = new ArrayList<>();
    for (String document : DocumentCommands.documents()) {
      Matcher given = GIVEN.matcher(FENCED.matcher(Repository.text(document)).replaceAll(""));
      while (given.find()) {
        all.add(new Given(document, given.group(1), given.group(2)));
      }
    }
    return all;
  }
}
