package io.tidemark.testing;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * A test in words: steps with a semicolon between, each a verb with its arguments and, after the
 * sign, all that it answers. A step without the sign must not fail; a duration is time that passes.
 * Addresses of 10.0.0.0/24 are written without their beginning.
 */
public abstract class Story {
  private static final String NET = "10.0.0.";

  /** Whether the step got no address, or was refused. */
  protected boolean failed;

  /** Runs it to its end. */
  protected final void tell(String story) {
    for (String step : story.split(";", -1)) {
      String[] sides = step.strip().replaceAll(" +", " ").split(" = ", 2);
      List<String> words = List.of(sides[0].split(" ", -1));
      failed = false;
      String answer = "";
      if (words.get(0).matches("\\d+(ms|s|m|h)")) {
        pass(duration(words.get(0)));
      } else {
        answer = answer(words.get(0), words.subList(1, words.size()));
      }
      if (sides.length == 2) {
        assertThat(answer).as("%s of: %s", step, story).isEqualTo(sides[1]);
      } else {
        assertThat(failed).as("%s is %s of: %s", step, answer, story).isFalse();
      }
    }
  }

  protected abstract void pass(Duration duration);

  protected abstract String answer(String verb, List<String> args);

  protected static Duration duration(String word) {
    return Duration.parse(
        word.endsWith("ms")
            ? "PT" + Integer.parseInt(word.replace("ms", "")) / 1000.0 + "S"
            : "PT" + word);
  }

  protected static String full(String word) {
    return word.contains(".") || word.contains(":") ? word : NET + word;
  }

  protected static String shorter(Object address) {
    return address.toString().replaceFirst("/32$", "").replaceFirst("^" + NET, "");
  }

  protected static <T> String list(Collection<T> all, Function<T, String> word) {
    return all.isEmpty() ? "none" : all.stream().map(word).collect(joining(" "));
  }

  protected static String done(Runnable step) {
    step.run();
    return "";
  }
}
