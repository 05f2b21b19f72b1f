package io.tidemark.emulator.kit.scenario;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Constants of an enum as files write them: in lower case, with hyphens. Pure. */
public final class Names {
  private Names() {}

  /** Finds one of these constants by its name in a file. */
  public static <E extends Enum<E>> Function<String, Optional<E>> in(E[] constants) {
    return text -> Stream.of(constants).filter(each -> of(each).equals(text)).findFirst();
  }

  /** The names of these constants, for messages. */
  public static String all(Enum<?>[] constants) {
    return String.join(", ", List.of(constants).stream().map(Names::of).toList());
  }

  /** The name of a constant. */
  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
