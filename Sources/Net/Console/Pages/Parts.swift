import StickerStore
import StickerValues

/// Every part of which pages consist, to be looked at: made by what makes the pages.
struct Parts: Sendable {
    let layout: Layout

    var html: HTML {
        """
        <section><h2>Buttons and fields</h2><p><button>Button</button> <button class="main">Main button</button> \
        <button disabled>Disabled</button> <a class="action" href="/parts">Link as a button</a> \
        <a href="/parts">Link</a></p>\
        <form class="filter" method="get" action="/parts"><label>Text <input placeholder="Placeholder"></label>\
        <label>Choice <select><option>One</option><option>Two</option></select></label>\
        <label><input type="checkbox" checked> Switch</label></form>\
        <p>\(layout.careful(.pause, "Button that asks", [], options: "<label>Note <input name=\"note\"></label>"))</p></section>
        <section><h2>Notices</h2><p class="notice good">Something was done.</p>\
        <p class="notice">Something is to be known.</p><p class="notice bad">Something is wrong.</p>\
        <section class="notice bad large"><h2>Everything waits for an answer</h2><p>Both ways out are named.</p></section>\
        <p class="empty">Nothing yet.</p></section>
        <section><h2>States</h2><p><span class="chip">waiting</span> <span class="chip busy">working</span> \
        <span class="chip good">done</span> <span class="chip bad">needs attention</span> <span class="chip">refused</span></p></section>
        <section><h2>Tiles</h2><ul class="tiles"><li class="tile"><strong>1,234</strong> published<span>in 5 categories</span></li>\
        <li><a class="tile" href="/parts"><strong>56</strong> waiting<progress aria-label="Done" value="0.4"></progress>\
        <span>about 3 min left</span></a></li>\
        <li><a class="tile bad" href="/parts"><strong>7</strong> files need attention</a></li></ul></section>
        <section><h2>Tabs</h2><nav class="tabs" aria-label="Example"><a href="/parts" aria-current="true">All \
        <span class="count">12</span></a><a href="/parts">Waiting <span class="count">3</span></a></nav></section>
        <section><h2>Cards</h2><ul class="cards"><li><a class="card" href="/parts">\(Self.picture)\
        <span class="name">cat.png</span><span><span class="chip good">done</span></span></a></li>\
        <li><a class="card" href="/parts"><span class="small none" aria-hidden="true">PSD</span>\
        <span class="name">a long name of a file.psd</span><span><span class="chip bad">needs attention</span></span></a></li>\
        </ul></section>
        <section><h2>Table</h2>\(Self.table)</section>
        <section><h2>Grounds</h2><section class="pictures">\(Ground.figure("/_console/console.svg", "White, black, squares, a light and a dark chat"))</section></section>
        """
    }

    private static let picture: HTML = """
        <span class="small" data-backdrop="checker"><img src="/_console/console.svg" alt=""></span>
        """

    private static var table: HTML {
        Table(
            columns: [.picture, .number("Number"), "Text", .short("Short")],
            rows: [
                [picture, "12", "A text that breaks where it has to", "3 s ago"],
                [picture, "3,456", "Another one", "2 h 10 min ago"],
            ]
        ).html
    }
}
