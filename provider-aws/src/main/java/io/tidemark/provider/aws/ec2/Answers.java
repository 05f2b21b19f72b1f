package io.tidemark.provider.aws.ec2;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ec2.model.Tag;

/** From the SDK's values, of which any may be absent, to ours. Pure. */
final class Answers {
  private Answers() {}

  /** An answer that cannot be understood, which is as good as none. */
  static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreadable(String message) {
      super(message);
    }
  }

  static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  /** The value; empty when absent or empty, which mean the same. */
  static Optional<String> optional(@Nullable String value) {
    return Optional.ofNullable(value).filter(text -> !text.isEmpty());
  }

  static int number(@Nullable Integer value) {
    return value == null ? 0 : value;
  }

  static boolean truth(@Nullable Boolean value) {
    return value != null && value;
  }

  static <T> List<T> list(@Nullable Collection<T> values) {
    return values == null ? List.of() : List.copyOf(values);
  }

  static Map<String, String> tags(@Nullable Collection<Tag> tags) {
    Map<String, String> read = new TreeMap<>();
    for (Tag tag : list(tags)) {
      if (tag.key() != null) {
        read.put(tag.key(), text(tag.value()));
      }
    }
    return read;
  }

  static Optional<Cidr> cidr(@Nullable String value) {
    return optional(value).flatMap(Cidr::tryParse);
  }

  /** The items that could be read, with the token of the page that follows. */
  static <S, T> AwsPage<T> page(
      @Nullable Collection<S> items, Function<S, Optional<T>> read, @Nullable String next) {
    return new AwsPage<>(
        list(items).stream().map(read).flatMap(Optional::stream).toList(), optional(next));
  }

  static IpAddress requireAddress(@Nullable String value) {
    return optional(value)
        .flatMap(IpAddress::tryParse)
        .orElseThrow(() -> new Unreadable("'" + value + "' is not an address"));
  }

  static Cidr requireCidr(@Nullable String value) {
    return cidr(value).orElseThrow(() -> new Unreadable("'" + value + "' is not a prefix"));
  }

  static String requireText(@Nullable String value, String what) {
    return optional(value).orElseThrow(() -> new Unreadable("no " + what));
  }
}
