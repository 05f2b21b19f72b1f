package io.tidemark.datastore.cloud;

import static io.tidemark.datastore.cloud.TestLoop.MINUTE;
import static io.tidemark.datastore.cloud.TestLoop.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A node that gives back what it does not need")
class PoolShrinkTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D94 What is over goes in one request, and a second look gives nothing back \
            | node 2 0; others add 0 10; start; 5m; calls unassign = unassign eni-0 7; \
              asInCloud = 3
          Decreases begin at least 30 s after one another \
            | node 2 0; others add 0 10; refuse OTHER 2; start; 29s; count unassign = 1; \
              size = 10; 30s; count unassign = 2; 31s; size = 3
          What the cloud does not take back can be assigned again \
            | node 2 0; others add 0 10; refuse OTHER; start; 1s; \
              add p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 = 4 5 6 7 8 9 10 11 12 13
          D122 Whether the cloud has it back is not known: nobody gets it until a read tells \
            | node 2 0; others add 0 10; lose unassign answer 5ms; start; 49s; cloud = 11 12 13; \
              add p0 p1 p2 = 11 12 13; add p3 = ALL_ASSIGNED; 1m; asInCloud = 5
          D122 A read that lags behind does not decide about a lost answer \
            | node 2 0; others add 0 10; lose unassign answer 5ms; start; remember; \
              cloud = 4 5 6 7 8 9 10 11 12 13; shows remembered; 21s; mark; prepared; 14s; \
              between read 1 9; returning = 4 5 6 7 8 9 10; mark; prepared; 14s; \
              between read 1 9; returning = 4 5 6 7 8 9 10; shows all; 1m; asInCloud = 3; \
              store = 11 12 13
          D122 Of what got no answer a late read may show a part: that stays, the rest goes \
            | node 2 0; others add 0 10; lose unassign request; start; 1s; \
              returning = 4 5 6 7 8 9 10; others remove 7 8 9; refuse OTHER 20; 80s; \
              store = 4 5 6 10 11 12 13; asInCloud = 7; \
              add p0 p1 p2 p3 p4 p5 p6 = 4 5 6 10 11 12 13
          D122 A read does not decide before all requests of a decrease have ended \
            | node 2 0; others add 0 10; others attach; \
              others add 1 10 = 14 15 16 17 18 19 20 21 22 23; lose unassign answer 5ms; \
              lose unassign answer 19s; start; 32s; count unassign = 2; mark; prepared; 3s; \
              between read 1 9; returning = 14 15 16 17 18 19 20 21 22 23; 3m; asInCloud = 3
          D122 A request to give back that never arrived is made up for \
            | node 2 0; others add 0 10; lose unassign request; start; 3m; count unassign = 2; \
              asInCloud = 3
          An interface that is not needed goes as a whole, once it is a minute old \
            | node 1 0 3x3; others attach; others add 0 3; start; 59s; \
              calls unassign = unassign eni-0 1; enis = 0:2/0 1:0/0; 10s; \
              calls remove = remove eni-1; enis = 0:2/0; cloudEnis = 0
          DI9 An interface stays that has an address in the cloud which a pod has elsewhere \
            here \
            | node 0 0 3x3; others attach; start; 45s; add a; 1s; add a = 4; others remove 4; \
              others add 1 1 = 4; prepared; 25s; calls remove = none; 2m; add a = 4; \
              pods = a:4@1; calls remove = none; del a; 5m; calls remove = remove eni-1
          D122 An interface whose removal got no answer serves nobody until a read tells \
            | node 1 0 3x3; others attach; others add 0 2; lose remove answer 5ms; start; 100s; \
              enis = 0:2/0 1:0/0 draining; 1m; enis = 0:2/0; count remove = 1
          D122 An interface that the cloud does not know is given up after a read \
            | node 1 0 3x3; others attach; others add 0 2; start; 1m; others detach 1; 1m; \
              enis = 0:2/0
          D66 What an excluded interface no longer uses goes back \
            | node 1 0 5x3; others add 0 5; start; exclude 0 = true; 3m; enis = 0:0/0 1:1/0; \
              asInCloud = 1
          Single addresses of a node that has changed to prefixes go when pods have left \
            | blocks 1 0 5x3; others add 0 3; start; 3m; calls unassign = unassign eni-0 3; \
              asInCloud = 1
          """)
  void story(String name, String story) {
    LoopStory.run(story);
  }

  @Test
  @DisplayName("DI7 An interface stays while the cloud seems to have taken back what cools on it")
  void eniWithCooling() {
    TestLoop node = TestLoop.twoEnis().started();
    List<CloudEni> first = List.of(node.cloud.now().get(0));
    node.add("a");
    node.add("b");
    node.pass(MINUTE);
    node.del("a");
    node.del("b");
    node.shown =
        enis -> List.of(first.get(0), new CloudEni(enis.get(1).spec(), 0, "", true, List.of()));
    node.loop.prepared();
    node.pass(SECOND);
    assertThat(node.view().enis().get(1).cidrs()).isEmpty();
    node.shown = enis -> enis;
    node.pass(MINUTE.multipliedBy(2));
    assertThat(node.calls("remove")).isEmpty();
    node.pass(MINUTE.multipliedBy(3));
    assertThat(node.calls("remove")).hasSize(1);
  }
}
