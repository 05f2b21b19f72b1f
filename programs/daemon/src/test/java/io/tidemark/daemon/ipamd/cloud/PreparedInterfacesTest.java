package io.tidemark.daemon.ipamd.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.cloud.CloudAnswer;
import io.tidemark.datastore.cloud.CloudEni;
import io.tidemark.datastore.cloud.InterfaceCloud;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Interfaces count for pods when the host is set up for them (AM21)")
class PreparedInterfacesTest {
  private static final CloudEni OWN = eni("eni-1", 0, true);
  private static final CloudEni SECOND = eni("eni-2", 1, true);
  private static final CloudEni OF_OTHERS = eni("eni-3", 2, false);

  /** The calls of the host, in order. */
  private final List<String> told = new ArrayList<>();

  /** Ids of the interfaces that the host is set up for. */
  private final Set<String> ready = new HashSet<>(Set.of("eni-1"));

  private boolean setsUp = true;
  private List<CloudEni> attached = List.of(OWN, SECOND, OF_OTHERS);
  private boolean answers = true;

  private final List<List<CloudEni>> observed = new ArrayList<>();

  private final PreparedInterfaces interfaces =
      new PreparedInterfaces(new Cloud(), new Host(), observed::add);

  private static CloudEni eni(String id, int device, boolean managed) {
    return new CloudEni(
        new StoreEniSpec(id, device, device == 0, false, false, device + 1, "subnet-1"),
        0,
        "02:00:00:00:00:0" + device,
        managed,
        List.of());
  }

  /** Has what is attached; answers, or loses its answers. */
  private final class Cloud implements InterfaceCloud {
    private <T> CompletionStage<CloudAnswer<T>> answer(T value) {
      return CompletableFuture.completedStage(
          answers ? new CloudAnswer.Done<>(value) : new CloudAnswer.Unknown<>("lost"));
    }

    @Override
    public CompletionStage<CloudAnswer<List<CloudEni>>> read() {
      return answer(attached);
    }

    @Override
    public CompletionStage<CloudAnswer<CloudEni>> createEni(CidrKind kind, int count) {
      return answer(SECOND);
    }

    @Override
    public CompletionStage<CloudAnswer<List<Cidr>>> assign(
        String id, IpFamily family, CidrKind kind, int count) {
      return answer(List.of());
    }

    @Override
    public CompletionStage<CloudAnswer<List<Cidr>>> unassign(
        String id, CidrKind kind, List<Cidr> cidrs) {
      return answer(cidrs);
    }

    @Override
    public CompletionStage<CloudAnswer<String>> removeEni(String id) {
      return answer(id);
    }
  }

  private final class Host implements HostNetwork {
    @Override
    public boolean setsUp() {
      return setsUp;
    }

    @Override
    public void whenReady(Runnable listener) {}

    @Override
    public CompletionStage<Boolean> came(CloudEni eni) {
      told.add("came " + eni.spec().id());
      return CompletableFuture.completedStage(ready.contains(eni.spec().id()));
    }

    @Override
    public void went(CloudEni eni) {
      told.add("went " + eni.spec().id());
    }
  }

  private static <T> T done(CompletionStage<CloudAnswer<T>> stage) {
    return ((CloudAnswer.Done<T>) stage.toCompletableFuture().getNow(null)).value();
  }

  @Test
  @DisplayName("one that waits for the host is not for pods yet, and one of others is not set up")
  void read() {
    List<CloudEni> read = done(interfaces.read());
    assertThat(read).containsExactly(OWN, SECOND.asPreparing(), OF_OTHERS);
    assertThat(told).containsExactly("came eni-1", "came eni-2");
    assertThat(observed).containsExactly(read);
    ready.add("eni-2");
    assertThat(done(interfaces.read())).containsExactly(OWN, SECOND, OF_OTHERS);
  }

  @Test
  @DisplayName("where nothing sets the host up, one that it is not set up for is as one of others")
  void nothingSetsUp() {
    setsUp = false;
    CloudEni unusable = eni("eni-2", 1, false);
    assertThat(done(interfaces.read())).containsExactly(OWN, unusable, OF_OTHERS);
    assertThat(done(interfaces.createEni(CidrKind.SECONDARY, 1))).isEqualTo(unusable);
  }

  @Test
  @DisplayName("a new one waits for the host, too, and is reported when it is gone, once")
  void created() {
    attached = List.of(OWN);
    assertThat(done(interfaces.createEni(CidrKind.SECONDARY, 1))).isEqualTo(SECOND.asPreparing());
    told.clear();
    assertThat(done(interfaces.read())).containsExactly(OWN);
    assertThat(done(interfaces.read())).containsExactly(OWN);
    assertThat(told).containsExactly("went eni-2", "came eni-1", "came eni-1");
  }

  @Test
  @DisplayName("a removal is reported when it is sure, and no read repeats it")
  void removed() {
    done(interfaces.read());
    told.clear();
    answers = false;
    interfaces.removeEni("eni-2");
    assertThat(told).as("the answer was lost").isEmpty();
    answers = true;
    assertThat(done(interfaces.removeEni("eni-2"))).isEqualTo("eni-2");
    assertThat(told).containsExactly("went eni-2");
    attached = List.of(OWN);
    done(interfaces.read());
    assertThat(told).containsExactly("went eni-2", "came eni-1");
    assertThat(done(interfaces.removeEni("eni-3"))).isEqualTo("eni-3");
    assertThat(told).as("one that the host was never told of").hasSize(2);
  }

  @Test
  @DisplayName("a read without an answer reports nothing")
  void unread() {
    done(interfaces.read());
    told.clear();
    observed.clear();
    answers = false;
    attached = List.of();
    assertThat(interfaces.read().toCompletableFuture().getNow(null))
        .isInstanceOf(CloudAnswer.Unknown.class);
    assertThat(told).isEmpty();
    assertThat(observed).isEmpty();
  }
}
