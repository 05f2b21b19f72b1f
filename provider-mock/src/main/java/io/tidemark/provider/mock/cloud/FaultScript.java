package io.tidemark.provider.mock.cloud;

import io.tidemark.provider.mock.cloud.CloudException.Code;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Faults by rules. The first rule that matches a request and is due decides. Thread-safe. */
public final class FaultScript implements FaultPlan {
  private final List<Rule> rules;
  private final long[] matches;
  private final SplittableRandom random = new SplittableRandom(1);

  /**
   * One line of a script: of the requests with this operation and subject, if there is one, {@code
   * count} in a row fail, from that of the number {@code first} on, or this share of them.
   */
  public record Rule(
      Optional<CloudOperation> operation,
      String subject,
      long first,
      long count,
      double share,
      Fault fault) {
    private static final Pattern FORM =
        Pattern.compile(
            "(\\*|\\w+)(?:@([^#~=]+))?(?:#([1-9]\\d*)(?:\\+([1-9]\\d*))?)?"
                + "(?:~(1(?:\\.0*)?|0?\\.\\d*[1-9]\\d*))?=([a-z-]+)(?::([\\w.]+))?");

    /**
     * A rule of the form {@code OPERATION@ID#FIRST+COUNT~SHARE=FAULT}; all but operation and fault
     * may be left out, the operation may be {@code *}.
     *
     * @throws IllegalArgumentException naming the form, or the known operations, codes and faults
     */
    public static Rule parse(String text) {
      Matcher rule = FORM.matcher(text);
      if (!rule.matches()) {
        throw new IllegalArgumentException("expected Operation[@ID][#FIRST[+COUNT]][~SHARE]=FAULT");
      }
      String operation = or(rule.group(1), "*");
      String first = or(rule.group(3), "");
      String many = first.isEmpty() ? Long.toString(Long.MAX_VALUE) : "1";
      return new Rule(
          operation.equals("*")
              ? Optional.empty()
              : Optional.of(named(operation, CloudOperation.values(), CloudOperation::wire)),
          or(rule.group(2), ""),
          first.isEmpty() ? 1 : Long.parseLong(first),
          Long.parseLong(or(rule.group(4), many)),
          Double.parseDouble(or(rule.group(5), "1")),
          fault(or(rule.group(6), ""), or(rule.group(7), "")));
    }

    private static Fault fault(String name, String argument) {
      return switch (name) {
        case "throttle" -> Fault.refuse(Code.REQUEST_LIMIT_EXCEEDED);
        case "fail" -> Fault.refuse(named(argument, Code.values(), Code::wire));
        case "partial" -> new Fault(Kind.PARTIAL, Fault.NONE.code(), Integer.parseInt(argument));
        default -> Fault.of(named(name, Kind.values(), Rule::written));
      };
    }

    private static String written(Kind kind) {
      return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <T> T named(String wire, T[] all, Function<T, String> name) {
      List<String> names = Stream.of(all).map(name).toList();
      if (!names.contains(wire)) {
        throw new IllegalArgumentException("'" + wire + "' is none of " + names);
      }
      return all[names.indexOf(wire)];
    }

    private static String or(@Nullable String text, String otherwise) {
      return Objects.requireNonNullElse(text, otherwise);
    }

    private boolean concerns(CloudOperation of, String about) {
      return (operation.isEmpty() || operation.get() == of)
          && (subject.isEmpty() || subject.equals(about));
    }
  }

  /** A script. */
  public FaultScript(List<Rule> rules) {
    this.rules = List.copyOf(rules);
    this.matches = new long[rules.size()];
  }

  @Override
  public synchronized Fault faultOf(CloudOperation operation, String subject) {
    for (int i = 0; i < matches.length; i++) {
      Rule rule = rules.get(i);
      if (rule.concerns(operation, subject)) {
        long before = matches[i]++ - (rule.first() - 1);
        boolean due = before >= 0 && before < rule.count();
        if (due && (rule.share() >= 1 || random.nextDouble() < rule.share())) {
          return rule.fault();
        }
      }
    }
    return Fault.NONE;
  }
}
