package io.tidemark.provider.kit.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.Held;
import io.tidemark.provider.kit.Known;
import io.tidemark.provider.kit.step.StaticAddressBinding.Candidate;
import io.tidemark.provider.kit.step.StaticAddressBinding.Holder;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("provider-aws 7.1 Binding a public address chosen by tags")
class StaticAddressBindingTest {
  private static final Map<String, String> TAGS = Map.of("use", "egress");
  private static final Failure TAKEN = Failure.of(Failure.Kind.CONFLICT, "taken", "");

  private final Held own = Held.empty("eni-0");
  private final Known known = new Known(own);
  private final StaticAddressBinding<Held> binding =
      new StaticAddressBinding<>(known.account, "public IP", Held::with);
  private final List<Candidate> tagged = new ArrayList<>();
  private final List<String> associated = new ArrayList<>();
  private final Map<String, CompletableFuture<CallResult<IpAddress>>> answers = new HashMap<>();

  private final class Cloud implements StaticAddressBinding.Cloud {
    @Override
    public CompletionStage<CallResult<List<Candidate>>> find(Map<String, String> tags) {
      return CompletableFuture.completedStage(new CallResult.Answered<>(List.copyOf(tagged)));
    }

    @Override
    public boolean isTaken(Failure refusal) {
      return refusal.equals(TAKEN);
    }
  }

  private void tagged(int number, Holder holder) {
    String id = "address-" + number;
    if (holder == Holder.SELF) {
      tagged.add(Candidate.held(id, address(number)));
      return;
    }
    tagged.add(
        new Candidate(
            id,
            holder,
            () -> {
              associated.add(id);
              return answers.getOrDefault(
                  id,
                  CompletableFuture.completedFuture(new CallResult.Answered<>(address(number))));
            }));
  }

  private static IpAddress address(int number) {
    return IpAddress.parse("192.0.2." + number);
  }

  private void fails(int number, Failure failure) {
    answers.put(
        "address-" + number, CompletableFuture.completedFuture(new CallResult.Failed<>(failure)));
  }

  private CompletableFuture<AllocationOutcome> begin(Held on, Map<String, String> tags) {
    return binding
        .run(Known.INSTANCE, on, new Cloud(), tags, known.context())
        .toCompletableFuture();
  }

  private AllocationOutcome run() {
    return begin(own, TAGS).join();
  }

  private void assertBound(int number, AllocationOutcome outcome) {
    AllocationOutcome.Allocated allocated = (AllocationOutcome.Allocated) outcome;
    assertThat(allocated.staticAddress()).contains(address(number));
    assertThat(known.view().interfaces().get(0).publicAddress()).contains(address(number));
  }

  private static Failure refusal(AllocationOutcome outcome) {
    return ((AllocationOutcome.Refused) outcome).failure();
  }

  @Test
  @DisplayName("the first address that nobody has")
  void first() {
    tagged(1, Holder.ANOTHER);
    tagged(2, Holder.NOBODY);
    tagged(3, Holder.NOBODY);
    assertBound(2, run());
    assertThat(associated).containsExactly("address-2");
  }

  @Test
  @DisplayName("the one that the interface has already, without a request that changes anything")
  void already() {
    tagged(1, Holder.NOBODY);
    tagged(2, Holder.SELF);
    assertBound(2, run());
    assertBound(9, begin(own.with(address(9)), TAGS).join());
    assertThat(associated).isEmpty();
  }

  @Test
  @DisplayName("when another node was faster, the next one")
  void next() {
    tagged(1, Holder.NOBODY);
    tagged(2, Holder.NOBODY);
    fails(1, TAKEN);
    assertBound(2, run());
  }

  @Test
  @DisplayName("none that a request of this account is on its way for")
  void inUse() {
    tagged(1, Holder.NOBODY);
    CompletableFuture<CallResult<IpAddress>> pending = new CompletableFuture<>();
    answers.put("address-1", pending);
    CompletableFuture<AllocationOutcome> waiting = begin(own, TAGS);
    assertThat(refusal(run()).kind()).isEqualTo(Failure.Kind.CAPACITY);
    pending.complete(new CallResult.Failed<>(TAKEN));
    assertThat(refusal(waiting.join()).condition()).isEqualTo("noStaticAddress");
    answers.clear();
    assertBound(1, run());
  }

  @Test
  @DisplayName("without tags nothing is asked, and without a candidate the refusal names the tags")
  void none() {
    assertThat(refusal(begin(own, Map.of()).join()).detail())
        .isEqualTo("no public IP tags were provided");
    assertThat(refusal(run()).detail())
        .isEqualTo("no unassociated public IPs found for tags {use=egress}");
  }

  @Test
  @DisplayName("a lost answer is unknown and not repeated; another refusal is told as it is")
  void failed() {
    tagged(1, Holder.NOBODY);
    tagged(2, Holder.NOBODY);
    fails(1, Known.LOST);
    assertThat(run()).isEqualTo(new AllocationOutcome.Unknown(Known.LOST));
    fails(1, Failure.of(Failure.Kind.NOT_RUNNING, "stopped", ""));
    assertThat(run()).isEqualTo(new AllocationOutcome.InstanceNotRunning());
    assertThat(associated).containsExactly("address-1", "address-1");
  }
}
