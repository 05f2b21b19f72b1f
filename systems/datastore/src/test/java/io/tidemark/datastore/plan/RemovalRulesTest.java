package io.tidemark.datastore.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.PoolView;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Interfaces that are not needed")
class RemovalRulesTest {
  private static final PoolLimits LIMITS = PoolLimits.of(3, 10);

  @ParameterizedTest(name = "{0}: {2} with {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D53 D56 D60 too few left    | SECONDARY | 0=1,1 1=0,0 2=0    | IP 3 MIN 1 | -     | -
          D53 D56 D60 below minimum   | SECONDARY | 0=1,1 1=0,0 2=0    | IP 1 MIN 5 | -     | -
          D53 D56 D60 enough left     | SECONDARY | 0=1,1 1=0,0 2=0    | IP 2 MIN 4 | eni-2 | eni-2
          D53 D56 D60 below minimum   | SECONDARY | 0=1,1 1=0,0        | IP 0 MIN 3 | -     | -
          D53 D56 D60 enough left     | SECONDARY | 0=1,1 1=0,0        | IP 0 MIN 2 | eni-1 | eni-1
          D53 D56 D60 trunk, EFA stay | SECONDARY | 0=1,1 3t=0 4e=0    | IP 0 MIN 2 | -     | -
          D53 D56 D60 empty one goes  | SECONDARY | 0=1,1 3t=0 4e=0 5= | IP 0 MIN 2 | eni-5 | eni-5
          D57 rounded to a prefix     | PREFIX    | 0=p0 1=p0          | IP 1 MIN 0 | eni-1 | *
          D57 which must be whole     | PREFIX    | 0=p1 1=p0          | IP 1 MIN 0 | -     | *
          D58 a warm prefix left      | PREFIX    | 0=p0 1=p0          | PREFIX 1   | eni-1 | eni-1
          D58 a used one is not       | PREFIX    | 0=p1 1=p0          | PREFIX 1   | -     | -
          D58 nor is an address       | PREFIX    | 0=0 1=p0           | PREFIX 1   | -     | -
          D64 D46 excluded: not needed | SECONDARY | 0=0,0 1x=0,0       | IP 2 MIN 2 | eni-1 | eni-1
          D64 D46 replaces no other   | SECONDARY | 1x=0,0 2=0         | IP 1 MIN 0 | eni-1 | eni-1
          D64 excluded, too few       | SECONDARY | 0=1 1x=0           | IP 5 MIN 0 | -     | eni-1
          D64 its prefix is not warm  | PREFIX    | 0=p1 1x=p0 2=p0    | PREFIX 1   | eni-1 | eni-1
          old                         | SECONDARY | 0=0 1@60=0         | IP 0 MIN 1 | eni-1 | eni-1
          excluded, old               | SECONDARY | 0=0 1x@60=0        | IP 0 MIN 1 | eni-1 | eni-1
          once                        | SECONDARY | 0=0 1d@60=0        | IP 0 MIN 1 | -     | -
          excluded, once              | SECONDARY | 0=0 1dx@60=0       | IP 0 MIN 1 | -     | -
          young                       | SECONDARY | 0=0 1x@59=0        | IP 0 MIN 1 | -     | -
          in use                      | SECONDARY | 0=0 1x@60=1        | IP 0 MIN 1 | -     | -
          cooling                     | SECONDARY | 0=0 1x@60=c        | IP 0 MIN 1 | -     | -
          """)
  void candidate(
      String name, CidrKind mode, String view, String targets, String upstream, String tidemark) {
    for (Profile profile : Profile.values()) {
      String expected = profile == Profile.UPSTREAM ? upstream : tidemark;
      if (!expected.equals("*")) {
        WarmTargets warm = Views.targets(targets, 0, 0);
        assertThat(
                RemovalRules.candidate(Views.of(mode, view), warm, LIMITS, profile)
                    .map(eni -> eni.spec().id())
                    .orElse("-"))
            .as("%s, %s", name, profile)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  @DisplayName("D51 Without targets an old, empty interface goes, by the AWS VPC CNI")
  void noTargets() {
    WarmTargets none = Views.targets("", 0, 9);
    for (String enis : List.of("0=", "0= 1=")) {
      PoolView view = Views.of(CidrKind.PREFIX, enis);
      boolean more = enis.contains("1=");
      assertThat(
              PoolPlanner.plan(view, none, LIMITS, Pending.NONE, 0, Profile.UPSTREAM).askRemoval())
          .isEqualTo(more);
      assertThat(RemovalRules.candidate(view, none, LIMITS, Profile.UPSTREAM).isPresent())
          .isEqualTo(more);
    }
  }
}
