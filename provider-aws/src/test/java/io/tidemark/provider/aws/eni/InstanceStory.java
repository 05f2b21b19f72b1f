package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AttachedInterface;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An {@link EniStory} of a program that works for one instance alone. "own" is the interface that
 * the instance was launched with; counts are of singles and, after them, of blocks.
 */
final class InstanceStory extends EniStory {
  private static final Duration LONGEST = Duration.ofMinutes(16);

  private final InstanceWorld here;
  private InstanceInterfaces program;
  private List<InstanceInterface> read = List.of();
  private @Nullable AttachedInterface given;

  private InstanceStory(InstanceWorld here) {
    super(here);
    this.here = here;
    program = here.program(Samples.SETTINGS);
    tell("launched", "nameAt 0 own");
  }

  static void run(String what, String story) {
    new InstanceStory(new InstanceWorld()).tell(what, story);
  }

  @Override
  boolean own(String verb, String... words) {
    switch (verb) {
      case "program" -> {
        EniSettings settings = Samples.SETTINGS;
        for (String word : words) {
          settings = with(settings, word.split("=", 2));
        }
        program = here.program(settings);
      }
      case "read" -> {
        read = here.answer(program.read());
        assertThat(read).as(now).hasSize(words.length > 0 ? number(words) : read.size());
      }
      case "readFor" -> {
        for (int minute = 0; minute < number(words); minute++) {
          read = here.answer(program.read());
          here.run(Duration.ofMinutes(1));
        }
      }
      case "loseCreation" ->
          tell(
              verb,
              "read; loseAnswer CreateNetworkInterface; cannotMake 2 LOST; answer;"
                  + " asked CreateNetworkInterface; unattached 1");
      case "make" -> {
        InstanceInterface made = here.answer(program.create(count(1, words), count(2, words)));
        assertThat(List.of(made.singles().size(), made.prefixes().size()))
            .as(now)
            .isEqualTo(
                List.of(words.length > 3 ? count(3, words) : count(1, words), count(2, words)));
        name(words[0], made.id());
      }
      case "cannotMake" ->
          refused(program.create(count(0, words), count(1, words)), words[words.length - 1]);
      case "give" -> {
        given = here.answer(program.assign(id(words[0]), count(1, words), count(2, words)));
        assertThat(List.of(given.singles().size(), given.blocks().size()))
            .as(now)
            .isEqualTo(List.of(count(1, words), count(2, words)));
      }
      case "cannotGive" ->
          refused(program.assign(id(words[0]), count(1, words), count(2, words)), words[3]);
      case "cannotTake" -> {
        AddressSet singles = Objects.requireNonNull(given).singles();
        refused(program.unassign(id(words[0]), singles, List.of()), words[1]);
      }
      case "remove" ->
          expect(here.answer(program.remove(id(words[0]))).text()).isEqualTo(id(words[0]));
      case "cannotRemove" -> refused(program.remove(id(words[0])), words[1]);
      case "detachAt" -> here.ec2.detach(at(words[0]).attachment().orElseThrow().id());
      case "showsGiven" ->
          assertThat(read.get(number(words)).singles())
              .as(now)
              .isEqualTo(Objects.requireNonNull(given).singles());
      case "shows" -> expect(read.get(count(0, words)).singles().size()).isEqualTo(words[1]);
      case "uses" ->
          assertThat(read.stream().map(each -> each.use().name())).as(now).containsExactly(words);
      case "exactly" -> assertThat(here.requests).as(now).containsExactly(words);
      case "requests" -> expect(here.requests.size()).isEqualTo(words[0]);
      case "between" ->
          assertThat(here.sent(words[0]))
              .as(now)
              .isBetween((long) count(1, words), (long) count(2, words));
      case "unattachedAre" ->
          assertThat(here.ec2.unattachedIds())
              .as(now)
              .containsExactlyInAnyOrderElementsOf(Stream.of(words).map(this::id).toList());
      default -> {
        return false;
      }
    }
    return true;
  }

  /** A count that is 0 where it is not given. */
  private static int count(int position, String... words) {
    return position < words.length && words[position].matches("\\d+")
        ? Integer.parseInt(words[position])
        : 0;
  }

  private void refused(CompletionStage<? extends CallResult<?>> stage, String why) {
    Failure failure = here.await(stage, LONGEST).refusal().orElseThrow();
    assertThat(List.of(failure.kind().name(), failure.condition())).as(now).contains(why);
  }
}
