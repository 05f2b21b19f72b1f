package io.tidemark.manifests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program that counts up a field of a manifest which only it writes, and tells how many of its
 * updates were gone when it looked for them.
 */
final class OtherWriter {
  private static final Pattern FIELD = Pattern.compile("x-other: (\\d+)");
  private static final int LOOKS_MAX = 2_000;

  /** How often it looks for a write of the other process before it makes its next one. */
  private static final int PACE = 40;

  private OtherWriter() {}

  /** Arguments: the file, {@code rename} or {@code in-place}, the number of updates. */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    boolean rename = arguments[1].equals("rename");
    int updates = Integer.parseInt(arguments[2]);
    Path beside = file.resolveSibling("." + file.getFileName() + ".other");
    int lost = 0;
    for (int i = 1; i <= updates; i++) {
      String text = textWith(file, i - 1);
      Matcher field = FIELD.matcher(text);
      if (!field.find()) {
        throw new IOException("the field is gone: " + text);
      }
      if (Integer.parseInt(field.group(1)) != i - 1) {
        lost++;
      }
      String changed = field.replaceFirst("x-other: " + i);
      if (rename) {
        Files.writeString(beside, changed);
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
      } else {
        Files.writeString(file, changed);
      }
      int looks = 0;
      while (looks < PACE && Files.readString(file).equals(changed)) {
        looks++;
      }
    }
    if (!textWith(file, updates).contains("x-other: " + updates)) {
      lost++;
    }
    System.out.println(lost);
  }

  /**
   * The text once the last update is there; as it is after the replacement that is under way when
   * that does not come back.
   */
  private static String textWith(Path file, int value) throws IOException {
    for (int look = 0; look < LOOKS_MAX; look++) {
      String text = Files.readString(file);
      Matcher field = FIELD.matcher(text);
      if (field.find() && Integer.parseInt(field.group(1)) == value) {
        return text;
      }
    }
    Path folder = Objects.requireNonNull(file.getParent(), "the file is in a folder");
    return FolderWriteLock.take(folder, () -> Files.readString(file));
  }
}
