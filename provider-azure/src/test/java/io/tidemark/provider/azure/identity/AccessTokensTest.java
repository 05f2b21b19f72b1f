package io.tidemark.provider.azure.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.azure.identity.AccessTokens.Token;
import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The access token (provider-azure Z47)")
class AccessTokensTest {
  private static final Duration LIFE = Duration.ofHours(1);
  private static final Failure REFUSED =
      Failure.of(Failure.Kind.CONFIGURATION, "noCredentials", "the secret is wrong");

  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final Held calls = new Held();
  private int fetched;
  private final AccessTokens tokens =
      new AccessTokens(calls, time, this::fetch, new Cancellation());

  private Token fetch() {
    fetched++;
    return new Token("token-" + fetched, time.epochMillis() + LIFE.toMillis());
  }

  /** Holds each request until the test answers it. */
  private static final class Held implements CloudCalls {
    private final List<Runnable> answers = new ArrayList<>();
    private final List<Runnable> failures = new ArrayList<>();

    @Override
    public Admission admit(List<CallKind> anyOf, CallContext context) {
      throw new UnsupportedOperationException("a token is not admitted");
    }

    @Override
    public <T> CompletionStage<CallResult<T>> call(
        CallKind kind, CallContext context, Leaf<T> leaf) {
      CompletableFuture<CallResult<T>> stage = new CompletableFuture<>();
      answers.add(() -> stage.complete(answer(leaf)));
      failures.add(() -> stage.complete(new CallResult.Failed<>(REFUSED)));
      return stage;
    }

    private static <T> CallResult<T> answer(Leaf<T> leaf) {
      try {
        return new CallResult.Answered<>(
            leaf.send(new Attempt(1, Duration.ofSeconds(10), "request")));
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private CompletableFuture<CallResult<Token>> ask() {
    return tokens
        .current(
            CallContext.of(
                "node",
                Priority.of(Priority.Rank.REPAIR),
                time.nanos() + Duration.ofSeconds(30).toNanos(),
                new Cancellation()))
        .toCompletableFuture();
  }

  private static String text(CompletableFuture<CallResult<Token>> asked) {
    assertThat(asked).isCompleted();
    return asked.join().match(Token::text, Failure::condition);
  }

  private void pass(Duration by) {
    time.runUntil(time.nanos() + by.toNanos());
  }

  @Test
  @DisplayName("AZ-N41 a thousand who wait for a token that ended cause one request")
  void oneRefresh() {
    assertThat(ask()).isNotNull();
    calls.answers.get(0).run();
    pass(LIFE);
    List<CompletableFuture<CallResult<Token>>> waiting =
        IntStream.range(0, 1_000).mapToObj(i -> ask()).toList();
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    assertThat(calls.answers).hasSize(2);
    calls.answers.get(1).run();
    assertThat(waiting).allMatch(each -> text(each).equals("token-2"));
    assertThat(tokens.now()).isEqualTo("token-2");
  }

  @Test
  @DisplayName("a token is renewed five minutes before its end, and used until then")
  void early() {
    assertThat(ask()).isNotNull();
    calls.answers.get(0).run();
    pass(LIFE.minus(Duration.ofMinutes(5)).minusMillis(1));
    assertThat(text(ask())).isEqualTo("token-1");
    assertThat(calls.answers).hasSize(1);
    pass(Duration.ofMillis(1));
    assertThat(text(ask())).isEqualTo("token-1");
    assertThat(text(ask())).isEqualTo("token-1");
    assertThat(calls.answers).hasSize(2);
    calls.answers.get(1).run();
    assertThat(text(ask())).isEqualTo("token-2");
  }

  @Test
  @DisplayName("a token that Azure refused is not used again; the next one is asked for once")
  void refused() {
    assertThat(ask()).isNotNull();
    calls.answers.get(0).run();
    tokens.refused("token-1");
    CompletableFuture<CallResult<Token>> waiting = ask();
    tokens.refused("token-1");
    calls.answers.get(1).run();
    assertThat(text(waiting)).isEqualTo("token-2");
    tokens.refused("token-1");
    assertThat(tokens.now()).isEqualTo("token-2");
  }

  @Test
  @DisplayName("a failure reaches all who wait, and the next one asks anew")
  void failure() {
    CompletableFuture<CallResult<Token>> first = ask();
    CompletableFuture<CallResult<Token>> second = ask();
    calls.failures.get(0).run();
    assertThat(text(first)).isEqualTo("noCredentials");
    assertThat(text(second)).isEqualTo("noCredentials");
    assertThat(ask()).isNotNull();
    assertThat(calls.answers).hasSize(2);
  }

  @Test
  @DisplayName("who waits is answered by its deadline, and the request goes on for others")
  void deadline() {
    CompletableFuture<CallResult<Token>> impatient = ask();
    pass(Duration.ofSeconds(30));
    assertThat(text(impatient)).isEqualTo("deadlinePassed");
    CompletableFuture<CallResult<Token>> patient = ask();
    calls.answers.get(0).run();
    assertThat(text(patient)).isEqualTo("token-1");
    assertThat(calls.answers).hasSize(1);
  }

  @Test
  @DisplayName("the text of a token is not its secret")
  void secret() {
    assertThat(new Token("secret", 7)).hasToString("a token until 7");
    assertThat(
            new CredentialChoice(CredentialChoice.Kind.CLIENT_SECRET, "t", "c", "secret")
                .toString())
        .doesNotContain("secret of t")
        .isEqualTo("client secret of c");
  }
}
