package io.tidemark.provider.kit.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A plan is written {@code 20/16 <18}: 20 addresses in blocks of 16 or 1, at most 18; a pool {@code
 * a=99~}: 99 addresses are free and no block is; and a rung {@code a/p2} or {@code a/s9}: two
 * blocks or nine singles of it.
 */
@DisplayName("The ladder of requests")
class LadderTest {
  private static Pool<String> pool(String text) {
    String[] parts = text.split("[=~]", -1);
    return new Pool<>(
        new PoolId(parts[0]),
        "zone",
        "subnet",
        true,
        Integer.parseInt(parts[1]),
        OptionalInt.empty(),
        false,
        text.endsWith("~"));
  }

  private static List<Pool<String>> pools(String text) {
    return Stream.of(text.split(" ", -1)).map(LadderTest::pool).toList();
  }

  private static AddressPlan plan(String text) {
    String[] numbers = (text + " <-1").split("/| <", -1);
    int atMost = Integer.parseInt(numbers[2]);
    return new AddressPlan(
        1000,
        Integer.parseInt(numbers[0]),
        atMost < 0 ? OptionalInt.empty() : OptionalInt.of(atMost),
        Integer.parseInt(numbers[1]),
        1);
  }

  private static String text(List<Rung<String>> ladder) {
    return ladder.stream()
        .map(
            each ->
                each.pool().id().text()
                    + (each.blocks() > 0 ? "/p" + each.blocks() : "/s" + each.singles()))
        .collect(Collectors.joining(" "));
  }

  private static List<Rung<String>> onNew(String plan, String pools, String rules) {
    return new Ladder(true)
        .onNewInterface(
            plan(plan),
            pools(pools),
            new Ladder.NewInterface(
                Integer.parseInt(rules.replaceAll(" .*", "")),
                rules.contains("primary"),
                plan(plan).blockSize() > 1),
            pool -> rules.contains("bare"));
  }

  @DisplayName("AWS-35 AWS-37 AWS-40 T4 2.2 2.4 what a creation asks for, rung by rung")
  @ParameterizedTest(name = "{0}: {1} of {2} on {3} places: {4}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2.2 singles as wanted                             | 8/1   | s=1000 | 9  | s/s8
          2.2 no more than there are places                 | 40/1  | s=1000 | 9  | s/s9
          2.2 the blocks that cover it                      | 40/16 | s=1000 | 9  | s/p3 s/p1 s/s9
          2.2 a block for each place                        | 500/16 | s=1000 | 9 | s/p9 s/p1 s/s9
          2.2 one place for a single                        | 8/1   | s=1000 | 1  | s/s1
          2.2 one place for a block                         | 8/16  | s=1000 | 1  | s/p1 s/s1
          2.2 many places                                   | 30/16 | s=1000 | 19 | s/p2 s/p1 s/s19
          T4 prefixes in the best subnet and its siblings, then singles \
            | 20/16 | a=1000 b=500 | 9 | a/p2 a/p1 b/p2 b/p1 a/s9 b/s9
          T4 no prefixes of a subnet that has none   | 20/16 | a=1000~ b=500 | 9 | b/p2 b/p1 a/s9 b/s9
          T4 singles where no subnet has one                | 2/16  | a=1000~ | 9 | a/s2
          2.4 at most three siblings are tried \
            | 1/16 | a=99 b=98 c=97 d=96 e=95 | 9 | a/p1 b/p1 c/p1 d/p1 a/s1 b/s1 c/s1 d/s1
          the primary address counts for pods     | 20/16 <33 | s=1000 | 9 primary | s/p2 s/p1 s/s9
          and takes the room of a block           | 20/16 <32 | s=1000 | 9 primary | s/p1 s/s9
          and of the last one                     | 20/16 <16 | s=1000 | 9 primary | s/s9
          and is the only one that is wanted      | 1/1 <1    | s=1000 | 9 primary | s/s0
          and one of those that are allowed       | 5/1 <3    | s=1000 | 9 primary | s/s2
          an interface for something else alone takes its primary address | 0/1 | s=100 | 9 bare | s/s0
          which is not made for nothing                     | 0/1   | s=100  | 9  | ''
          but with what is wanted                           | 3/1   | s=100  | 9 bare | s/s3
          singles leave the primary address its place       | 8/1   | s=1    | 9  | ''
          and take what is left                             | 8/1   | s=2    | 9  | s/s1
          and all of that                                   | 8/1   | s=3    | 9  | s/s2
          up to what is wanted                              | 8/1   | s=100  | 9  | s/s8
          """)
  void creates(String what, String plan, String pools, String rules, String ladder) {
    assertThat(text(onNew(plan, pools, rules))).as(what).isEqualTo(ladder);
  }

  @DisplayName("AWS-42 AWS-43 AWS-85 Z30 3.3 what an attached interface is asked to take")
  @ParameterizedTest(name = "{0}: {1} of {2}, {3} places: {5}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          AWS-42 prefixes, one prefix, singles, one single | 25/16 | s=200 | 8 | true true | s/p2 s/p1 s/s8 s/s1
          AWS-43 singles, one single                       | 2/1   | s=15  | 8 | true true | s/s2 s/s1
          AWS-85 no single without a free place            | 8/1   | s=200 | 0 | true true | ''
          AWS-85 nor a block                               | 8/16  | s=200 | 0 | true true | ''
          AWS-85 nor where the pool has none               | 8/1   | s=0   | 5 | true true | ''
          one address is asked for once                    | 1/1   | s=200 | 8 | true true | s/s1
          and so is one block                              | 16/16 | s=200 | 8 | true true | s/p1 s/s8 s/s1
          a ladder need not end with one single            | 20/16 | s=200 | 9 | false true | s/p2 s/p1 s/s9
          and passes no ceiling                            | 20/16 <18 | s=200 | 9 | false true | s/p1 s/s9
          not by one address                               | 8/16 <0 | s=200 | 9 | false true | ''
          Z30 from blocks to singles at once               | 40/16 | s=1000 | 9 | false false | s/p3 s/s9
          Z30 or by way of a single block                  | 40/16 | s=1000 | 9 | false true | s/p3 s/p1 s/s9
          Z30 and down to one single                       | 40/16 | s=1000 | 9 | true false | s/p3 s/s9 s/s1
          """)
  void attached(
      String what, String plan, String pool, int places, String singleAndBlock, String ladder) {
    Ladder rules = new Ladder(singleAndBlock.startsWith("true"), singleAndBlock.endsWith("true"));
    assertThat(text(rules.onInterface(plan(plan), pool(pool), places))).as(what).isEqualTo(ladder);
  }

  @DisplayName("AWS-66 blocks of sixteen that so many addresses need")
  @ParameterizedTest(name = "AWS-66 {0} addresses: {1}")
  @CsvSource({"0, 0", "1, 1", "9, 1", "16, 1", "17, 2", "31, 2", "32, 2", "33, 3"})
  void blocks(int addresses, int blocks) {
    assertThat(plan(addresses + "/16").blocks()).isEqualTo(blocks);
  }

  @Test
  @DisplayName("each rung has its name in metrics and logs, and says how many addresses it brings")
  void labels() {
    assertThat(onNew("20/16", "a=1000 b=500", "9"))
        .extracting(Rung::label)
        .containsExactly("prefixes", "onePrefix", "sibling", "sibling", "singles", "singles");
    List<Rung<String>> attached = new Ladder(true).onInterface(plan("25/16"), pool("a=200"), 8);
    assertThat(attached)
        .extracting(Rung::label)
        .containsExactly("prefixes", "onePrefix", "singles", "oneSingle");
    assertThat(attached).extracting(Rung::addresses).containsExactly(32, 16, 8, 1);
  }
}
