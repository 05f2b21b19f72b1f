package io.tidemark.datastore.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Interfaces that are not needed")
class RemovalRulesTest {
  private static final PoolLimits LIMITS = PoolLimits.of(3, 10);
  private static final Duration OLD = Duration.ofHours(1);

  private static EniView eni(StoreEniSpec spec, boolean excluded, int used, String... texts) {
    List<CidrView> cidrs = new ArrayList<>();
    for (String text : texts) {
      boolean prefix = text.contains("/");
      Cidr cidr = prefix ? Cidr.parse(text) : Cidr.single(IpAddress.parse(text));
      int inUse = cidrs.isEmpty() ? used : Math.min(used, prefix ? 0 : 1);
      cidrs.add(
          new CidrView(
              cidr,
              prefix ? CidrKind.PREFIX : CidrKind.SECONDARY,
              cidr.sizeSaturated(),
              prefix ? inUse : Math.min(1, inUse),
              0,
              false));
    }
    return new EniView(spec, excluded, false, OLD, cidrs);
  }

  private static StoreEniSpec spec(int number) {
    return new StoreEniSpec("eni-" + number, number - 1, number == 1, false, false, 1, "");
  }

  private static EniView eni(int number, int used, String... texts) {
    return eni(spec(number), false, used, texts);
  }

  private static String candidate(
      CidrKind mode, List<EniView> enis, WarmTargets targets, Profile it) {
    return RemovalRules.candidate(new PoolView(mode, enis), targets, LIMITS, it)
        .map(eni -> eni.spec().id())
        .orElse("");
  }

  private static WarmTargets targets(int warm, int min) {
    return new WarmTargets(OptionalInt.of(warm), OptionalInt.of(min), 0, 0);
  }

  @ParameterizedTest(name = "D53 D56 D60 The worked example, {0}")
  @EnumSource(Profile.class)
  void example(Profile profile) {
    CidrKind mode = CidrKind.SECONDARY;
    List<EniView> enis =
        new ArrayList<>(
            List.of(
                eni(1, 1, "10.0.1.1", "10.0.1.2"),
                eni(2, 0, "10.0.2.1", "10.0.2.2"),
                eni(3, 0, "10.0.3.1")));
    assertThat(candidate(mode, enis, targets(3, 1), profile)).isEmpty();
    assertThat(candidate(mode, enis, targets(1, 5), profile)).isEmpty();
    assertThat(candidate(mode, enis, targets(2, 4), profile)).isEqualTo("eni-3");
    enis.remove(2);
    assertThat(candidate(mode, enis, targets(0, 3), profile)).isEmpty();
    assertThat(candidate(mode, enis, targets(0, 2), profile)).isEqualTo("eni-2");
    enis.remove(1);
    enis.add(eni(new StoreEniSpec("eni-4", 3, false, true, false, 1, ""), false, 0, "10.0.4.1"));
    enis.add(eni(new StoreEniSpec("eni-5", 4, false, false, true, 1, ""), false, 0, "10.0.5.1"));
    assertThat(candidate(mode, enis, targets(0, 2), profile)).isEmpty();
    enis.add(eni(6, 0));
    assertThat(candidate(mode, enis, targets(0, 2), profile)).isEqualTo("eni-6");
  }

  @ParameterizedTest(name = "D57 A warm address of prefixes needs a whole prefix, {0}")
  @EnumSource(value = Profile.class, names = "UPSTREAM")
  void rounding(Profile profile) {
    for (int used : new int[] {0, 1}) {
      List<EniView> enis = List.of(eni(1, used, "10.0.1.0/28"), eni(2, 0, "10.0.2.0/28"));
      assertThat(candidate(CidrKind.PREFIX, enis, targets(1, 0), profile))
          .isEqualTo(used == 0 ? "eni-2" : "");
    }
  }

  @ParameterizedTest(name = "D58 A warm prefix must be left; a free address is none, {0}")
  @EnumSource(Profile.class)
  void warmPrefix(Profile profile) {
    WarmTargets one = new WarmTargets(OptionalInt.empty(), OptionalInt.empty(), 1, 0);
    EniView spare = eni(2, 0, "10.0.2.0/28");
    CidrKind mode = CidrKind.PREFIX;
    assertThat(candidate(mode, List.of(eni(1, 0, "10.0.1.0/28"), spare), one, profile))
        .isEqualTo("eni-2");
    assertThat(candidate(mode, List.of(eni(1, 1, "10.0.1.0/28"), spare), one, profile)).isEmpty();
    assertThat(candidate(mode, List.of(eni(1, 0, "10.0.1.1"), spare), one, profile)).isEmpty();
  }

  @ParameterizedTest(name = "D64 D46 An excluded interface neither counts nor is needed, {0}")
  @EnumSource(Profile.class)
  void excluded(Profile profile) {
    EniView out = eni(spec(2), true, 0, "10.0.2.1", "10.0.2.2");
    List<EniView> enis = List.of(eni(1, 0, "10.0.1.1", "10.0.1.2"), out);
    assertThat(candidate(CidrKind.SECONDARY, enis, targets(2, 2), profile)).isEqualTo("eni-2");
    EniView spare = eni(3, 0, "10.0.3.1");
    assertThat(candidate(CidrKind.SECONDARY, List.of(out, spare), targets(1, 0), profile))
        .as("what is excluded does not replace another one")
        .isEqualTo("eni-2");
  }

  @Test
  @DisplayName(
      "D64 An excluded interface goes also when the node has too few, not by the AWS VPC CNI")
  void excludedWhenLow() {
    List<EniView> enis = List.of(eni(1, 2, "10.0.1.1"), eni(spec(2), true, 0, "10.0.2.1"));
    assertThat(candidate(CidrKind.SECONDARY, enis, targets(5, 0), Profile.TIDEMARK))
        .isEqualTo("eni-2");
    assertThat(candidate(CidrKind.SECONDARY, enis, targets(5, 0), Profile.UPSTREAM)).isEmpty();
  }

  @ParameterizedTest(name = "D64 The free prefix of an excluded interface is no warm one, {0}")
  @EnumSource(Profile.class)
  void excludedPrefix(Profile profile) {
    WarmTargets one = new WarmTargets(OptionalInt.empty(), OptionalInt.empty(), 1, 0);
    List<EniView> enis =
        List.of(
            eni(1, 1, "10.0.1.0/28"),
            eni(spec(2), true, 0, "10.0.2.0/28"),
            eni(3, 0, "10.0.3.0/28"));
    assertThat(candidate(CidrKind.PREFIX, enis, one, profile)).isEqualTo("eni-2");
  }

  @ParameterizedTest(
      name = "being removed {0}, {1} s old, {2} in use, {3} cooling, excluded {4}: {5}")
  @DisplayName(
      "Only an interface of which nothing is used or cools goes, once, and not a young one")
  @CsvSource({
    "false, 60, 0, 0, false, true",
    "false, 60, 0, 0, true,  true",
    "true,  60, 0, 0, false, false",
    "true,  60, 0, 0, true,  false",
    "false, 59, 0, 0, true,  false",
    "false, 60, 1, 0, true,  false",
    "false, 60, 0, 1, true,  false",
  })
  void removable(
      boolean draining, int seconds, int inUse, int cooling, boolean excluded, boolean goes) {
    CidrView address =
        new CidrView(
            Cidr.single(IpAddress.parse("10.0.2.1")), CidrKind.SECONDARY, 1, inUse, cooling, false);
    EniView second =
        new EniView(spec(2), excluded, draining, Duration.ofSeconds(seconds), List.of(address));
    for (Profile profile : Profile.values()) {
      assertThat(
              candidate(
                  CidrKind.SECONDARY,
                  List.of(eni(1, 0, "10.0.1.1"), second),
                  targets(0, 1),
                  profile))
          .as("%s", profile)
          .isEqualTo(goes ? "eni-2" : "");
    }
  }

  @ParameterizedTest(name = "D51 Without targets an old, empty interface goes, {0}")
  @EnumSource(value = Profile.class, names = "UPSTREAM")
  void noTargets(Profile profile) {
    List<EniView> enis = new ArrayList<>(List.of(eni(1, 0)));
    WarmTargets none = new WarmTargets(OptionalInt.empty(), OptionalInt.empty(), 0, 9);
    for (boolean ask : List.of(false, true)) {
      PoolView view = new PoolView(CidrKind.PREFIX, enis);
      assertThat(PoolPlanner.plan(view, none, LIMITS, Pending.NONE, 0, profile).askRemoval())
          .isEqualTo(ask);
      assertThat(candidate(CidrKind.PREFIX, enis, none, profile)).isEqualTo(ask ? "eni-2" : "");
      enis.add(eni(2, 0));
    }
  }
}
