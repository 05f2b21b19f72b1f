package io.tidemark.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Calls that main code never makes. Time, threads and chance are parameters: that is what lets a
 * whole cluster run on one thread in virtual time and repeat itself from one seed.
 */
final class ForbiddenCalls {
  /** One family of calls, the packages that own the matter, and what the rule prevents. */
  record Family(String name, List<String> owners, String reason, List<Signature> signatures) {}

  private static final List<String> TIME = List.of("time");

  /**
   * Who makes threads and waits for their end: a running system, and the programs' main threads.
   */
  private static final List<String> TIME_AND_PROGRAM =
      List.of("time", "cluster.run", "engine", "program", "operator", "daemon", "emulator.kit.cli");

  private static final List<String> PROGRAM =
      List.of("program", "operator", "daemon", "emulator.kit.cli");
  private static final List<String> NOBODY = List.of();

  /** Benchmarks measure real time on real threads and print what they found. */
  private static final List<String> MEASUREMENTS = List.of("it");

  static final List<Family> FAMILIES =
      List.of(
          family(
              "The clock is read in time alone",
              TIME,
              "a decision that read the clock cannot be replayed",
              "java.lang.System#nanoTime",
              "java.lang.System#currentTimeMillis",
              "java.time.Instant#now",
              "java.time.LocalDate#now",
              "java.time.LocalTime#now",
              "java.time.LocalDateTime#now",
              "java.time.OffsetDateTime#now",
              "java.time.ZonedDateTime#now",
              "java.time.Clock#systemUTC",
              "java.time.Clock#systemDefaultZone",
              "java.time.Clock#system",
              "java.util.Date#<init>()",
              "java.util.Calendar#getInstance"),
          family(
              "Nothing that waits holds a thread",
              TIME_AND_PROGRAM,
              "ten thousand waiting nodes must cost no thread, and virtual time has only one",
              "java.lang.Thread#sleep",
              "java.lang.Thread#join",
              "java.lang.Thread#yield",
              "java.lang.Thread#onSpinWait",
              "java.lang.Object#wait()",
              "java.lang.Object#wait(long)",
              "java.lang.Object#wait(long,int)",
              "java.util.concurrent.TimeUnit#sleep",
              "java.util.concurrent.locks.LockSupport#park",
              "java.util.concurrent.locks.LockSupport#parkNanos",
              "java.util.concurrent.locks.LockSupport#parkUntil",
              "java.util.concurrent.locks.Condition#await",
              "java.util.concurrent.locks.Condition#awaitNanos",
              "java.util.concurrent.Future#get",
              "java.util.concurrent.CompletableFuture#join",
              "java.util.concurrent.BlockingQueue#take",
              "java.util.concurrent.BlockingQueue#put",
              "java.util.concurrent.BlockingQueue#poll(long,TimeUnit)",
              "java.util.concurrent.BlockingQueue#offer(Object,long,TimeUnit)",
              "java.util.concurrent.CompletionService#take",
              "java.util.concurrent.CountDownLatch#await",
              "java.util.concurrent.CyclicBarrier#await",
              "java.util.concurrent.Semaphore#acquire",
              "java.util.concurrent.Semaphore#tryAcquire(long,TimeUnit)",
              "java.util.concurrent.ExecutorService#awaitTermination",
              "java.util.concurrent.ExecutorService#invokeAll",
              "java.util.concurrent.ExecutorService#invokeAny",
              "java.lang.Process#waitFor",
              "java.nio.file.WatchService#take",
              "java.nio.file.WatchService#poll(long,TimeUnit)"),
          family(
              "No timer but the TaskScheduler",
              TIME,
              "a timer of the JDK runs in real time whatever the simulation's clock says",
              "java.util.concurrent.CompletableFuture#orTimeout",
              "java.util.concurrent.CompletableFuture#completeOnTimeout",
              "java.util.concurrent.CompletableFuture#delayedExecutor",
              "java.util.Timer#<init>()",
              "java.util.Timer#<init>(boolean)",
              "java.util.Timer#<init>(String)",
              "java.util.Timer#<init>(String,boolean)"),
          family(
              "Threads are made in time and in the program",
              TIME_AND_PROGRAM,
              "who embeds the engine decides how many threads it has",
              "java.lang.Thread#<init>",
              "java.util.concurrent.Executors#newFixedThreadPool",
              "java.util.concurrent.Executors#newCachedThreadPool",
              "java.util.concurrent.Executors#newSingleThreadExecutor",
              "java.util.concurrent.Executors#newScheduledThreadPool",
              "java.util.concurrent.Executors#newSingleThreadScheduledExecutor",
              "java.util.concurrent.Executors#newWorkStealingPool",
              "java.util.concurrent.ThreadPoolExecutor#<init>",
              "java.util.concurrent.ScheduledThreadPoolExecutor#<init>",
              "java.util.concurrent.ForkJoinPool#<init>",
              "java.util.concurrent.ForkJoinPool#commonPool",
              "java.util.Collection#parallelStream",
              "java.util.stream.BaseStream#parallel"),
          family(
              "Chance comes from a seed that was given",
              TIME_AND_PROGRAM,
              "a failing run must be repeatable from the number it printed",
              "java.lang.Math#random",
              "java.lang.StrictMath#random",
              "java.util.Random#<init>()",
              "java.util.SplittableRandom#<init>()",
              "java.util.concurrent.ThreadLocalRandom#current",
              "java.security.SecureRandom#<init>()",
              "java.util.UUID#randomUUID",
              "java.util.Collections#shuffle(List)",
              "java.util.random.RandomGenerator#getDefault",
              "java.util.random.RandomGenerator#of"),
          family(
              "The standard streams belong to the program",
              PROGRAM,
              "a library that prints spoils the output of whoever embeds it",
              "java.lang.System#out",
              "java.lang.System#err",
              "java.lang.System#in",
              "java.lang.System#exit",
              "java.lang.Throwable#printStackTrace()"),
          family(
              "Character set and language are named",
              NOBODY,
              "the same bytes must come out on a machine set to another language",
              "java.lang.String#getBytes()",
              "java.lang.String#<init>(byte[])",
              "java.lang.String#<init>(byte[],int,int)",
              "java.lang.String#toLowerCase()",
              "java.lang.String#toUpperCase()",
              "java.lang.String#format(String,Object[])",
              "java.lang.String#formatted",
              "java.io.FileReader#<init>(File)",
              "java.io.FileReader#<init>(String)",
              "java.io.FileWriter#<init>(File)",
              "java.io.FileWriter#<init>(String)",
              "java.io.InputStreamReader#<init>(InputStream)",
              "java.io.OutputStreamWriter#<init>(OutputStream)",
              "java.io.PrintStream#<init>(OutputStream)",
              "java.io.PrintStream#printf(String,Object[])",
              "java.io.PrintWriter#<init>(OutputStream)",
              "java.io.PrintWriter#printf(String,Object[])",
              "java.io.ByteArrayOutputStream#toString()",
              "java.util.Scanner#<init>(InputStream)",
              "java.util.Locale#getDefault",
              "java.nio.charset.Charset#defaultCharset",
              "java.time.format.DateTimeFormatter#ofPattern(String)"),
          family(
              "No part of Resilience4j that blocks or draws its own numbers",
              NOBODY,
              "its synchronous retry sleeps in real time",
              "io.github.resilience4j.retry.Retry#executeSupplier",
              "io.github.resilience4j.retry.Retry#executeCallable",
              "io.github.resilience4j.retry.Retry#executeRunnable",
              "io.github.resilience4j.retry.Retry#executeCheckedSupplier",
              "io.github.resilience4j.retry.Retry#decorateSupplier",
              "io.github.resilience4j.retry.Retry#decorateCallable",
              "io.github.resilience4j.retry.Retry#context",
              "io.github.resilience4j.core.IntervalFunction#ofRandomized",
              "io.github.resilience4j.core.IntervalFunction#ofExponentialRandomBackoff"));

  private ForbiddenCalls() {}

  static List<ArchRule> rules(String root) {
    List<ArchRule> rules = new ArrayList<>();
    for (Family family : FAMILIES) {
      rules.add(
          rule(
              root,
              family.owners(),
              family.name() + ", because " + family.reason(),
              access -> family.signatures().stream().anyMatch(s -> s.matches(access))));
    }
    rules.add(
        rule(
            root,
            NOBODY,
            "A stage's *Async names its executor, because the JVM's common pool is nobody's thread",
            ForbiddenCalls::isAsyncWithoutExecutor));
    return rules;
  }

  /** The rule of one signature alone, wherever it is called. */
  static ArchRule rule(Signature signature) {
    return rule("", NOBODY, "nobody calls " + signature, signature::matches);
  }

  private static boolean isAsyncWithoutExecutor(JavaAccess<?> access) {
    return access.getTarget() instanceof CodeUnitAccessTarget code
        && code.getName().endsWith("Async")
        && access.getTargetOwner().isAssignableTo(CompletionStage.class)
        && code.getRawParameterTypes().stream().noneMatch(p -> p.isEquivalentTo(Executor.class));
  }

  private static ArchRule rule(
      String root, List<String> owners, String description, Predicate<JavaAccess<?>> forbidden) {
    String[] exempt =
        Stream.concat(owners.stream(), MEASUREMENTS.stream())
            .map(owner -> root + "." + owner + "..")
            .toArray(String[]::new);
    return noClasses()
        .that(
            describe(
                "do not own the matter",
                (JavaClass type) -> !JavaClass.Predicates.resideInAnyPackage(exempt).test(type)))
        .should()
        .accessTargetWhere(describe("the target is forbidden", forbidden))
        .allowEmptyShould(true)
        .as(description);
  }

  private static Family family(
      String name, List<String> owners, String reason, String... signatures) {
    return new Family(
        name, owners, reason, List.of(signatures).stream().map(Signature::of).toList());
  }
}
