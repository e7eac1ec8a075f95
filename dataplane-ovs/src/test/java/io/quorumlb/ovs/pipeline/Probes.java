package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.testbed.VethSwitch;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Real connections to the VIP through a switch, each one SYN and its answer. */
final class Probes {
    private static final Ipv4Address CLIENT = Ipv4Address.parse("10.50.0.1");

    /**
     * A connection that was answered.
     *
     * @param number of the probe, from 0
     * @param clientPort its port
     * @param sentNanos when it was sent, on the clock of {@link System#nanoTime}
     * @param member address of who answered
     * @param answeredNanos when the answer came
     */
    record Answer(int number, int clientPort, long sentNanos, Ipv4Address member, long answeredNanos) {
        /** Returns the slot of the connection. */
        int slot() {
            return SlotFormula.slot(
                    CLIENT.bits(), SiteIntent.VIP.bits(), clientPort, 80, SiteIntent.POOL, SiteIntent.SLOTS);
        }
    }

    /**
     * What came of them.
     *
     * @param sent how many were sent
     * @param damaged answers whose TCP checksum is wrong
     * @param answers in order of arrival
     */
    record Result(int sent, int damaged, List<Answer> answers) {}

    private final Process process;
    private final BufferedReader out;

    private Probes(Process process) {
        this.process = process;
        this.out = process.inputReader();
    }

    /** Starts a switch whose ports have the client and the members of the first node of {@link SiteIntent} behind them. */
    static VethSwitch site(java.nio.file.Path directory) {
        var ports = new TreeMap<Integer, String>();
        ports.put(SiteIntent.UPLINK, "client");
        ports.put(SiteIntent.P2, "p2");
        ports.put(SiteIntent.P3, "p3");
        return new VethSwitch(directory, ports);
    }

    /** Starts to send. */
    static Probes start(VethSwitch ovs, int perSecond) throws IOException {
        Process process = ovs.startOutside(
                "probes.py",
                List.of(
                        "client",
                        "p2,p3",
                        SiteIntent.ownMac(1, 10).toString(),
                        SiteIntent.ownMac(1, 20) + "," + SiteIntent.ownMac(1, 30),
                        SiteIntent.VIP.toString(),
                        Integer.toString(perSecond),
                        "1000",
                        CLIENT.toString()));
        var probes = new Probes(process);
        if (!"ready".equals(probes.out.readLine())) {
            throw new IOException("the probes did not start");
        }
        return probes;
    }

    /** Ends them and returns what came of them. */
    Result stop() throws IOException {
        process.getOutputStream().close();
        List<Answer> answers = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("sent")) {
                return new Result(Integer.parseInt(words[1]), Integer.parseInt(words[3]), answers);
            }
            answers.add(new Answer(
                    Integer.parseInt(words[0]),
                    Integer.parseInt(words[1]),
                    Long.parseLong(words[2]),
                    Ipv4Address.parse(words[3]),
                    Long.parseLong(words[4])));
        }
        throw new IOException("the probes ended without a result");
    }
}
