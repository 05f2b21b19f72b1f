package io.tidemark.provider.aws.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.provider.aws.ec2.Ec2Accounts;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Connection;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Failure.Ending;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.provider.aws.ec2.EmulatedDoors;
import io.tidemark.provider.aws.metadata.HttpInstanceMetadata;
import io.tidemark.provider.aws.metadata.InstanceMetadata;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The start")
class StartTest {
  private static final String REGION = "eu-west-1";

  /** A service that nobody can reach: the port of discard, refused at once. */
  private static final InstanceMetadata UNREACHABLE =
      new HttpInstanceMetadata(URI.create("http://127.0.0.1:9"), Duration.ofSeconds(2));

  private final VirtualTime time = new VirtualTime(0);
  private final List<String> asked = new ArrayList<>();
  private final Map<String, String> metadata = new TreeMap<>();
  private Optional<Ec2Failure> accountFailure = Optional.empty();
  private Optional<Ec2Failure> tagFailure = Optional.empty();
  private Optional<String> tag = Optional.empty();
  private boolean asksForAccount;
  private int closed;

  private final List<String> notices = new ArrayList<>();
  private final CloudCalls calls =
      EmulatedDoors.calls(
          time,
          Duration.ofMillis(100),
          StartupRequests.with(Ec2CallLimits.of("1", "eu-west-1", 1)));

  /** Of a region and a cluster; empty for those that are not named. */
  private StartupDiscovery start(
      String region, String cluster, String otherwise, InstanceMetadata from) {
    return new StartupDiscovery(
        named(region),
        named(cluster),
        otherwise,
        Connection::new,
        from,
        calls,
        time,
        (code, detail) -> notices.add(code.label()));
  }

  private static Optional<String> named(String text) {
    return Optional.of(text).filter(some -> !some.isEmpty());
  }

  private Optional<String> read(String path) {
    asked.add(path);
    return Optional.ofNullable(metadata.get(path));
  }

  /** EC2 that tells a tag, or not. */
  private final class Connection implements Ec2Connection {
    Connection(String region) {
      asked.add("open " + region);
    }

    @Override
    public boolean asksForAccount() {
      return asksForAccount;
    }

    @Override
    public String accountId() throws Ec2Failure {
      asked.add("identity");
      if (accountFailure.isPresent()) {
        throw accountFailure.get();
      }
      return "111111111111";
    }

    @Override
    public Ec2Accounts accounts() throws Ec2Failure {
      if (asksForAccount) {
        asked.add("account");
      }
      if (accountFailure.isPresent()) {
        throw accountFailure.get();
      }
      return Ec2Accounts.one(
          EditedEc2.of(
              (method, arguments) -> {
                asked.add(method.getName());
                if (tagFailure.isPresent()) {
                  throw tagFailure.get();
                }
                return tag;
              }));
    }

    @Override
    public void close() {
      closed++;
    }
  }

  private StartupDiscovery unnamed(String otherwise) {
    return start(REGION, "", otherwise, this::read);
  }

  private void advance(Duration by) {
    time.runUntil(time.nanos() + by.toNanos());
  }

  private CallResult<StartupDiscovery.Discovered> run(StartupDiscovery start) {
    CompletionStage<CallResult<StartupDiscovery.Discovered>> stage = start.startup().begin();
    advance(Duration.ofMinutes(2));
    return stage.toCompletableFuture().getNow(null);
  }

  private static Failure failure(CallResult<?> result) {
    assertThat(result).isInstanceOf(CallResult.Failed.class);
    return ((CallResult.Failed<?>) result).failure();
  }

  @Test
  @DisplayName("asks nobody when region and cluster are named, and works without metadata")
  void nothingToAsk() {
    StartupDiscovery start = start(REGION, "prod", "", UNREACHABLE);

    assertThat(start.startup().begin().toCompletableFuture()).isDone();
    assertThat(start.cluster()).isEqualTo("prod");
    assertThat(asked).containsExactly("open eu-west-1");
  }

  @Test
  @DisplayName("takes the region of the instance when nothing else names one")
  void region() {
    metadata.put("placement/region", "ap-south-1");
    StartupDiscovery start = start("", "prod", "", this::read);
    assertThat(asked).isEmpty();

    run(start);

    assertThat(start.startup().isDone()).isTrue();
    assertThat(asked).containsExactly("placement/region", "open ap-south-1");
  }

  @Test
  @DisplayName("names the hop limit when there is no region and no metadata, and tries again")
  void noRegion() {
    StartupDiscovery start = start("", "prod", "", UNREACHABLE);

    assertThat(failure(run(start)))
        .satisfies(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Failure.Kind.TRANSIENT);
              assertThat(failure.detail()).contains("aws-region").contains("hop limit");
            });
    assertThat(failure(run(start)).kind()).isEqualTo(Failure.Kind.TRANSIENT);
    assertThat(start.startup().isDone()).isFalse();
  }

  @Test
  @DisplayName("asks for the account only where two take part, and goes on from where it failed")
  void account() {
    asksForAccount = true;
    accountFailure =
        Optional.of(Ec2Failure.unanswered(Ending.NO_CREDENTIALS, "no credentials", null));
    StartupDiscovery start = start(REGION, "prod", "", this::read);
    assertThat(failure(run(start)).detail()).contains("no credentials");

    accountFailure = Optional.empty();
    advance(Duration.ofMinutes(1)); // the account's breaker
    run(start);

    assertThat(start.startup().isDone()).isTrue();
    assertThat(asked).contains("account").filteredOn(each -> each.startsWith("open")).hasSize(1);
  }

  @Test
  @DisplayName("finds the cluster's name in the instance's metadata, else in its tags")
  void clusterName() {
    metadata.put("tags/instance/aws:eks:cluster-name", "from-metadata");
    StartupDiscovery named = unnamed("");
    run(named);
    assertThat(named.cluster()).isEqualTo("from-metadata");

    metadata.clear();
    metadata.put("instance-id", "i-1");
    tag = Optional.of("from-tag");
    StartupDiscovery tagged = unnamed("");
    run(tagged);
    assertThat(tagged.cluster()).isEqualTo("from-tag");
  }

  @Test
  @DisplayName("M9 leaves a cluster without a name that nobody tells, and says so to a person")
  void noName() {
    StartupDiscovery off = start(REGION, "", "", UNREACHABLE);
    run(off);
    assertThat(off.cluster()).isEmpty();
    assertThat(notices).containsExactly("TM-1026");

    metadata.put("instance-id", "i-1");
    tagFailure = Optional.of(Ec2Failure.refused("UnauthorizedOperation", "not you", 403, ""));
    StartupDiscovery denied = unnamed("default");
    run(denied);
    assertThat(denied.cluster()).isEqualTo("default");
    assertThat(notices).hasSize(1);
  }

  @Test
  @DisplayName("takes no name while EC2 is out of order: it would be another one later")
  void tagUnavailable() {
    metadata.put("instance-id", "i-1");
    tagFailure = Optional.of(Ec2Failure.refused("Unavailable", "later", 503, ""));
    StartupDiscovery start = unnamed("default");

    assertThat(failure(run(start)).kind()).isEqualTo(Failure.Kind.TRANSIENT);
    assertThatThrownBy(start::cluster).isInstanceOf(IllegalStateException.class);
  }

  private void noneExists(StartupDiscovery start) {
    var found = start.place().find().toCompletableFuture();
    advance(Duration.ofSeconds(30));
    assertThat(found).isCompleted();
    start.place().noneExists();
  }

  @Test
  @DisplayName("tells a person region and account once, where no instance of the nodes is there")
  void elsewhere() {
    StartupDiscovery start = start(REGION, "prod", "", this::read);
    assertThat(start.place().text()).isEqualTo("region eu-west-1");

    noneExists(start);
    noneExists(start);

    assertThat(start.place().text()).isEqualTo("region eu-west-1 of account 111111111111");
    assertThat(notices).containsExactly("TM-1222");
    assertThat(asked).containsExactly("open eu-west-1", "identity");
  }

  @Test
  @DisplayName("tells the region alone where STS does not tell the account")
  void elsewhereUnknown() {
    accountFailure = Optional.of(Ec2Failure.unanswered(Ending.ANSWER_LOST, "silence", null));
    StartupDiscovery start = start(REGION, "prod", "", this::read);

    noneExists(start);

    assertThat(start.place().text()).isEqualTo("region eu-west-1");
    assertThat(notices).containsExactly("TM-1222");
  }

  @Test
  @DisplayName("ends its connection once")
  void closes() {
    StartupDiscovery start = start(REGION, "prod", "", this::read);
    start.close();
    start.close();

    assertThat(closed).isEqualTo(1);
  }
}
